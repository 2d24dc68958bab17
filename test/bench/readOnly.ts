// Milliseconds that reading every result of a SARIF log takes, without a workspace: node test/bench/readOnly.ts FILE
import { readLargeSarif } from "../../src/node/engine/largeSarif.ts";

const started = performance.now();
const read = await readLargeSarif(process.argv[2] ?? "", "bench.sarif", {}, () => undefined);
if (read.kind !== "read") throw new Error(`not read: ${read.kind}`);
process.stdout.write(String(performance.now() - started));

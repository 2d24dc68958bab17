// A process of its own that appends to a log: `node appender.ts PATH WITHIN SESSION COUNT`. Writes one line for each
// record once it is acknowledged.
import { sha256 } from "../../../src/node/hash.ts";
import { createLog } from "../../../src/node/log/log.ts";
import { TRIAGED } from "./entries.ts";

const [path = "", within = "", session = "", count = "0"] = process.argv.slice(2);
const log = createLog({ path, within, session, hash: sha256, now: () => new Date(), mask: (text) => text });
for (let n = 1; n <= Number(count); n += 1) {
  const text = `${session} ${n} ${"x".repeat(n % 200)}`;
  const done = await log.append({ ...TRIAGED, because: [{ rule: "test", text }] });
  if (done.kind === "failed") throw new Error(done.why);
  process.stdout.write(`${done.record.hash}\n`);
}

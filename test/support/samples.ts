import { readdirSync, readFileSync } from "node:fs";
import { decodeText } from "../../src/core/intake/decode.ts";
import { readReview } from "../../src/core/intake/readReview.ts";
import type { ReviewReading } from "../../src/core/finding.ts";

const ROOT = new URL("../fixtures/samples/", import.meta.url);

/** Names of all sample files, as `sarif/x.sarif`. */
export function sampleNames(): string[] {
  return ["sarif", "json", "xml", "md"].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, ROOT)).map((name) => `${folder}/${name}`),
  );
}

/** Text of a sample, decoded as the product does. */
export function sampleText(name: string): string {
  return decodeText(readFileSync(new URL(name, ROOT))).text;
}

/** A sample, read. */
export function readSample(name: string): ReviewReading {
  return readReview(sampleText(name), name);
}

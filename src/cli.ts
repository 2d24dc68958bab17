#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { main } from "./node/cli/main.ts";
import manifest from "../package.json" with { type: "json" };

const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
// A reader that went away, as `| head` does, is no error of ours.
process.stdout.on("error", () => process.exit(0));

main({
  argv: process.argv.slice(2),
  prompts: fileURLToPath(new URL("../prompts", import.meta.url)),
  version: manifest.version,
  streams: { stdout: process.stdout, stderr: process.stderr },
  signal: interrupted.signal,
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      `skeptical-triage failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 2;
  },
);

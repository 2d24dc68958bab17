import type { Prompts } from "../../core/ports.ts";
import { compareEntries } from "../server/listing.ts";
import { findingLine, paintFor, unreadLine } from "../report/text.ts";
import { findingRecord } from "../report/rows.ts";
import type { Command } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import type { Streams } from "./output.ts";
import { openWorkspace } from "./workspace.ts";

/** `findings FILE…`: what was read, on standard output; what was not, with its place, on standard error. */
export async function runFindings(
  command: Extract<Command, { kind: "findings" }>,
  prompts: Prompts,
  streams: Streams,
): Promise<number> {
  const say = (text: string): void => void streams.stderr.write(`${text}\n`);
  const workspace = await openWorkspace(command, {
    history: false,
    checkers: false,
    prompts,
    warn: say,
    changed: () => undefined,
  });
  if (workspace === null) {
    say(`There is no folder ${command.workspace}.`);
    return EXIT.usage;
  }
  const loaded = await workspace.engine.loadReviews(command.files.map((file) => workspace.resolve(file)));
  const entries = [...workspace.engine.entries()];
  const paint = paintFor(streams.stdout, process.env);
  if (command.format === "jsonl")
    for (const { finding } of entries) streams.stdout.write(`${JSON.stringify(findingRecord(finding))}\n`);
  else for (const { finding } of entries.sort(compareEntries)) streams.stdout.write(`${findingLine(finding, paint)}\n`);
  for (const row of workspace.engine.unread()) say(unreadLine(row));
  return loaded.some(({ problem }) => problem !== null) ? EXIT.usage : EXIT.nothingOpen;
}

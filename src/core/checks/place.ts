import type { CheckResult } from "../check.ts";
import { fold } from "../citation.ts";
import type { Finding } from "../finding.ts";
import { type CheckContext, citeLine, result } from "./check.ts";

/** Does the place exist and does it hold what the finding quotes? A wrong place is relocated, never refuted (classes 7-10, C8). */
export async function checkPlace(finding: Finding, context: CheckContext): Promise<CheckResult> {
  const { place } = finding;
  const at =
    place.file === null
      ? (finding.citedPath ?? "no file")
      : `${place.file}${place.line === null ? "" : `:${place.line}`}`;
  if (place.file === null || place.status === "missing-file" || place.status === "none") {
    return result("place", null, "unknown", place.note ?? `${at}: not in this workspace.`);
  }
  if (place.status === "out-of-range")
    return result("place", null, "unknown", place.note ?? `${at}: past the end of the file.`);
  if (place.line === null)
    return result("place", null, "confirmed", `${place.file} exists; the finding is about the file as a whole.`);
  const read = await context.verbs.run(
    { verb: "read", file: place.file, from: place.line, to: place.endLine ?? place.line },
    "check",
    context.signal,
  );
  context.receipt(read.receipt);
  if (read.error !== null)
    return result("place", null, "unknown", `${at} could not be read: ${read.error}`, [], [read.receipt.id]);
  const cited = await citeLine(place.file, place.line, context);
  const citations = cited === null ? [] : [cited];
  const moved = place.status === "relocated" ? ` ${place.note ?? `Found at ${at}.`}` : "";
  const text = `${at} exists${
    quoteHolds(
      finding,
      read.hits.map((hit) => hit.text),
    )
      ? " and holds the quoted text"
      : ""
  }.${moved}`;
  return result("place", null, "confirmed", text, citations, [read.receipt.id]);
}

function quoteHolds(finding: Finding, lines: readonly string[]): boolean {
  if (finding.quote === null || fold(finding.quote) === "") return false;
  const there = fold(lines.join(" "));
  const quote = fold(finding.quote);
  return there.includes(quote) || (quote.includes(there) && there !== "");
}

import type { Finding } from "../../core/finding.ts";
import { citationsIn } from "../../core/judgement.ts";
import type { CheckedCitation } from "../../core/round.ts";
import type { Entry } from "../engine/entry.ts";
import { triageRecord } from "./rows.ts";

const LEVEL = { P0: "error", P1: "error", P2: "warning", Nit: "note" } as const;

/** A SARIF 2.1.0 log of a triage: one run per tool, verdicts under `properties.triage`, evidence as related locations. */
export function sarifReport(entries: readonly Entry[], version: string): string {
  const tools = new Map<string, Entry[]>();
  for (const entry of entries) tools.set(entry.finding.tool, [...(tools.get(entry.finding.tool) ?? []), entry]);
  const runs = [...tools].map(([tool, members]) => ({
    tool: {
      driver: { name: tool === "" ? "unknown" : tool },
      extensions: [{ name: "skeptical-triage", version }],
    },
    columnKind: "utf16CodeUnits",
    results: members.map(resultOf),
  }));
  return `${JSON.stringify({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs }, null, 2)}\n`;
}

function resultOf(entry: Entry): unknown {
  const { finding, triaged } = entry;
  const shown = triaged?.outcome.severity ?? finding.severity;
  const evidence =
    triaged === null
      ? []
      : [...triaged.checks.flatMap((check) => check.citations), ...citationsIn({ ...triaged, rounds: [] })].filter(
          (c) => c.ok,
        );
  return {
    ...(finding.rule === null ? {} : { ruleId: finding.rule }),
    level: LEVEL[shown],
    message: { text: finding.message },
    ...(finding.place.file === null && finding.citedPath === null ? {} : { locations: [locationOf(finding)] }),
    ...(evidence.length === 0 ? {} : { relatedLocations: evidence.map(relatedOf) }),
    fingerprints: { "skepticalTriage/v1": finding.key },
    ...suppressionsOf(entry),
    properties: triaged === null ? {} : { triage: triageRecord(finding, triaged) },
  };
}

/** Only a person's record is ever `accepted`; a proposal is under review (ruling 34). */
function suppressionsOf(entry: Entry): object {
  const { decided, triaged } = entry;
  if (decided?.decision === "dismissed")
    return { suppressions: [{ kind: "external", status: "accepted", justification: decided.reason }] };
  if (triaged?.outcome.proposesDismissal === true || triaged?.outcome.authorization === "automated") {
    return { suppressions: [{ kind: "external", status: "underReview", justification: triaged.outcome.next }] };
  }
  return {};
}

function locationOf(finding: Finding): unknown {
  const { place } = finding;
  const region = {
    ...(place.line === null ? {} : { startLine: place.line }),
    ...(place.endLine === null ? {} : { endLine: place.endLine }),
    ...(place.column === null ? {} : { startColumn: place.column }),
    ...(place.endColumn === null ? {} : { endColumn: place.endColumn }),
  };
  const uri = encodePath(place.file ?? finding.citedPath ?? "");
  return { physicalLocation: { artifactLocation: { uri }, ...(place.line === null ? {} : { region }) } };
}

function relatedOf(citation: CheckedCitation): unknown {
  return {
    physicalLocation: {
      artifactLocation: { uri: encodePath(citation.file) },
      region: { startLine: citation.line, endLine: citation.endLine },
    },
    message: { text: "evidence, re-read" },
  };
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

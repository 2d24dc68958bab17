import * as z from "zod";
import { Link, LogRecord, type LogEntry } from "../../core/audit.ts";
import type { Hash } from "../../core/ports.ts";

/** What one line of a log holds. `link` without `record`: a record of a kind this version does not know. */
export type ReadLine =
  | { readonly kind: "record"; readonly link: Link; readonly record: LogRecord | null; readonly problem: string | null }
  | { readonly kind: "blank" }
  | { readonly kind: "damaged"; readonly why: string };

/** The link of a record that is about to be written; its hash comes from its text. */
export type NextLink = Omit<z.infer<typeof Link>, "hash" | "kind">;

const SEALED = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/;

/** The line of a record, without its line end, and the record as it will be read again. */
export function writeLine(
  link: NextLink,
  entry: LogEntry,
  hash: Hash,
): { readonly line: string; readonly record: LogRecord } {
  const { kind, ...rest } = entry;
  const { v, ...chained } = link;
  const body = JSON.stringify({ v, kind, ...chained, ...rest });
  const line = `${body.slice(0, -1)},"hash":"${hash(body)}"}`;
  return { line, record: LogRecord.parse(JSON.parse(line)) };
}

/** Reads one line without its line end. The hash is checked against the text, byte for byte, before anything is believed. */
export function readLine(line: string, hash: Hash): ReadLine {
  // A checkout on Windows may have turned the line ends; the text is the same.
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.trim() === "") return { kind: "blank" };
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(text))
    return {
      kind: "damaged",
      why: "It is the mark of a merge conflict; keep the lines of both sides and remove the marks.",
    };
  const [, head, digest] = SEALED.exec(text) ?? [];
  if (head === undefined || digest === undefined) return { kind: "damaged", why: "It is not a complete record." };
  if (hash(`${head}}`) !== digest) return { kind: "damaged", why: "Its text was changed: it does not match its hash." };
  const link = Link.safeParse(parseJson(text));
  if (!link.success) return { kind: "damaged", why: `It is no record: ${z.prettifyError(link.error).slice(0, 200)}` };
  const record = LogRecord.safeParse(link.data);
  if (record.success) return { kind: "record", link: link.data, record: record.data, problem: null };
  const problem =
    link.data.v > 1
      ? "A newer version wrote it."
      : `It is no ${link.data.kind} record: ${z.prettifyError(record.error)}`;
  return { kind: "record", link: link.data, record: null, problem: problem.slice(0, 200) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

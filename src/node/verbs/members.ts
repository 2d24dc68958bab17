import * as z from "zod";

/** A 1-based line. Small models write numbers as text; that is understood, nothing else is. */
export const lineNumber = z.coerce.number().int().min(1);

/** The members of a call about lines of one file, as a model is told of them. */
export const LINES_MEMBERS = {
  file: { type: "string", description: "path relative to the repository root, with /" },
  from: { type: "integer", description: "first line, from 1" },
  to: { type: "integer", description: "last line, inclusive" },
} as const;

/** The same, as they are parsed. */
export const linesArguments = z
  .object({ file: z.string().min(1), from: lineNumber, to: lineNumber })
  .refine(({ from, to }) => to >= from, '"to" is smaller than "from"');

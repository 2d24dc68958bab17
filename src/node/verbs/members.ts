import * as z from "zod";

/** A 1-based line. Small models write numbers as text; that is understood, nothing else is. */
export const lineNumber = z.coerce.number().int().min(1);

import type { CSSResult } from "lit";
import { base } from "./base.ts";
import { finding } from "./finding.ts";
import { judgement } from "./judgement.ts";
import { rounds } from "./rounds.ts";

/** The page's styles as constructed sheets, which a strict page policy allows. */
export function sheets(): CSSStyleSheet[] {
  return [base, finding, judgement, rounds].flatMap((styles: CSSResult) => styles.styleSheet ?? []);
}

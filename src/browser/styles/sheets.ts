import type { CSSResult } from "lit";
import { bar } from "./bar.ts";
import { base } from "./base.ts";
import { evidence } from "./evidence.ts";
import { finding } from "./finding.ts";
import { judges } from "./judges.ts";
import { parts } from "./parts.ts";
import { rounds } from "./rounds.ts";
import { verdict } from "./verdict.ts";

/** The page's styles as constructed sheets, which a strict page policy allows. */
export function sheets(): CSSStyleSheet[] {
  return [base, parts, finding, verdict, evidence, rounds, judges, bar].flatMap(
    (styles: CSSResult) => styles.styleSheet ?? [],
  );
}

/** A sheet of its own for the one length that only the running page knows: the height of the bar, in CSS pixels. */
export function barHeightSheet(): { readonly sheet: CSSStyleSheet; readonly set: (height: number) => void } {
  const sheet = new CSSStyleSheet();
  return { sheet, set: (height) => sheet.replaceSync(`html { --bar-height: ${Math.ceil(height)}px; }`) };
}

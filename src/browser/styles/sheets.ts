import type { CSSResult } from "lit";
import { base } from "./base.ts";
import { finding } from "./finding.ts";
import { judgement } from "./judgement.ts";
import { rounds } from "./rounds.ts";

/** The page's styles as constructed sheets, which a strict page policy allows. */
export function sheets(): CSSStyleSheet[] {
  return [base, finding, judgement, rounds].flatMap((styles: CSSResult) => styles.styleSheet ?? []);
}

/** A sheet of its own for the one length that only the running page knows: the height of the bar, in CSS pixels. */
export function barHeightSheet(): { readonly sheet: CSSStyleSheet; readonly set: (height: number) => void } {
  const sheet = new CSSStyleSheet();
  return { sheet, set: (height) => sheet.replaceSync(`html { --bar-height: ${Math.ceil(height)}px; }`) };
}

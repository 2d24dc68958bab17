/** A name as reports write it: in quotes, or a bare word that only code has. */
const NAME =
  "(?:`([A-Za-z_$][\\w$.]*)`|['\"]([A-Za-z_$][\\w$.]*)['\"]|([A-Z][A-Z0-9]*_[A-Z0-9_]+|[a-z$_][a-z0-9]*[A-Z][\\w$]*))";
const NUMBER = "`?(-?(?:0[xX][0-9A-Fa-f_]+|0[bB][01_]+|0[oO][0-7_]+|\\d[\\d_]*(?:\\.\\d+)?)|zero|one)`?";
const THING = "(?:[Tt]he\\s+)?(?:constant|limit|value(?:\\s+of)?|variable|size|bound)?\\s*";
const MORE = "(?:larger|greater|bigger|higher|more)\\s+than|exceeds|above";
const LESS = "(?:smaller|lower|less)\\s+than|below";
const ARRAY = "(?:[Tt]he\\s+)?(?:array|buffer|list|(?:length|size)\\s+of\\s+(?:[Tt]he\\s+)?(?:array|buffer|list))";

/** What a clause says about the value of a constant (class 13). `right` null: the array that the finding speaks of. */
export interface ValueClaim {
  readonly left: string;
  readonly relation: "equal" | "more" | "less";
  readonly right: { readonly number: number } | { readonly name: string } | null;
}

const EQUALS = new RegExp(
  `^${THING}${NAME}\\s+(?:is|equals|is\\s+set\\s+to|is\\s+defined\\s+as|has\\s+the\\s+value)\\s+(?:only\\s+)?${NUMBER}$`,
);
const COMPARES = new RegExp(
  `^${THING}${NAME}\\s+(?:is\\s+)?(?:(${MORE})|(${LESS}))\\s+(?:(${ARRAY})|${THING}${NAME}|${NUMBER})$`,
);

/** The value claim that a clause makes from its first to its last word; null where it says anything else. */
export function valueClaimOf(clause: string): ValueClaim | null {
  const text = clause
    .trim()
    .replace(/[.!]+$/, "")
    .trim();
  const equals = EQUALS.exec(text);
  if (equals !== null) {
    const left = equals[1] ?? equals[2] ?? equals[3];
    const number = numberOf(equals[4]);
    return left === undefined || number === null ? null : { left, relation: "equal", right: { number } };
  }
  const compares = COMPARES.exec(text);
  const left = compares?.[1] ?? compares?.[2] ?? compares?.[3];
  if (compares === null || left === undefined) return null;
  const relation = compares[4] === undefined ? "less" : "more";
  if (compares[6] !== undefined) return { left, relation, right: null };
  const name = compares[7] ?? compares[8] ?? compares[9];
  if (name !== undefined) return { left, relation, right: { name } };
  const number = numberOf(compares[10]);
  return number === null ? null : { left, relation, right: { number } };
}

/** The number that a text writes; null where it writes none. */
export function numberOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const words: Readonly<Record<string, number>> = { zero: 0, one: 1 };
  const bare = text.toLowerCase().replaceAll("_", "");
  const negative = bare.startsWith("-");
  const value = words[bare] ?? Number(negative ? bare.slice(1) : bare);
  return Number.isFinite(value) && bare !== "" ? (negative ? -value : value) : null;
}

/** A clause and the reason it gives, apart, where the reason is a claim about a value: the reason can be settled, the rest cannot. */
export function withReasonApart(clause: string): readonly string[] {
  const [, head, reason] = /^(.+?),?\s+(?:because|since)\s+(.+)$/i.exec(clause) ?? [];
  return head === undefined || reason === undefined || valueClaimOf(reason) === null ? [clause] : [head, reason];
}

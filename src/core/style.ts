import type { Finding } from "./finding.ts";

/** Categories and rules that are about how code reads. */
const STYLE_CATEGORY =
  /^(?:(?:code[-_ ])?style|formatting|format|naming(?:[-_ ]conventions?)?|stylistic|layout|whitespace|readability|maintainability|code[-_ ]smell|documentation|docs|comments?|conventions?|pedantic)$/i;
const STYLE_RULE =
  /(?:^|\/)(?:prefer-const|no-var|quotes|semi|indent|camelcase|max-len|max-lines(?:-per-function)?|eol-last|no-trailing-spaces|comma-dangle|object-curly-spacing|sort-imports|arrow-body-style|object-shorthand|prefer-template|func-style|id-length|no-multiple-empty-lines|naming-convention|line-too-long|missing-(?:module|class|function)-docstring|invalid-name|trailing-whitespace|C01\d\d|E[1-3]\d\d|E501|W[1-3]9\d|D[1-4]\d\d|N8\d\d|I001)$/i;
const STYLE_WORDS =
  /\b(?:naming|renam\w*|formatting|indentation|white\s?space|line\s+(?:length|is\s+too\s+long)|lower-?case|upper-?case|camel-?case|snake_case|docstring|readab\w+|use\s+(?:`?const`?|`?let`?)\s+instead\s+of\s+`?var`?|trailing\s+(?:comma|blank|space)s?|semicolons?|quote\s+style)\b/i;

/** Words of defects. One of them, and the finding is about more than how code reads. */
const DEFECT_WORDS =
  /crash|throw|exception|error|fail|null|undefined|\bNaN\b|leak|race|deadlock|concurren|inject|xss|csrf|ssrf|secret|token|passw|credential|auth|permission|privileg|unsafe|overflow|bounds|wrong|incorrect|\bbug|vulnerab|attack|exploit|corrupt|securit|saniti[sz]|escap|valid|eval|infinite|forever|hang|timeout|travers|traversal|crypto|hash|random|encrypt|cve-|cwe-|los[est]|shadow|stale|unreachable|unhandled|behaviou?r|never|missing|broken|break|memory|resource|close|dispos|lifetime|user\s+input|untrusted|data|weak|strong|algorithm|\bmd5\b|\bsha-?1\b|restrict|\badmin|\bhttps?\b|\btls\b|\bssl\b|\bcors\b|cookie|certificate|\bsql\b|query|expos|sensitiv|privacy|plain\s?text|assert|compar|itself|delet|twice|too\s+(?:often|many|few|late|early|soon|long)|one\s+time|off[- ]by|always|every\s+time|duplicat|production|deprecat|outdated|slow|quadratic|anyone|any\s+user/i;
/** Categories under which reviewers also put defects: the words must speak of style too. */
const BROAD_CATEGORY =
  /^(?:readability|maintainability|code[-_ ]smell|documentation|docs|comments?|conventions?|pedantic|naming(?:[-_ ]conventions?)?)$/i;
const DEFECT_CATEGORY = /secur|correct|bug|reliab|robust|error|concurren|perform|vulner|logic|safety|type/i;

/**
 * True where a finding is only about how code reads: style, names, layout (classes 17 and 18). Two of category, rule and message must
 * say so, or one where the others say nothing else; any word of a defect makes it no style note. Unsure means not style.
 */
export function isStyleNote(
  finding: Pick<Finding, "category" | "rule" | "message" | "cwe" | "hard" | "severity">,
): boolean {
  const { category, rule, message } = finding;
  if (finding.hard !== null || finding.cwe.length > 0 || finding.severity === "P0") return false;
  if (DEFECT_WORDS.test(message) || DEFECT_WORDS.test(rule ?? "") || DEFECT_CATEGORY.test(category ?? "")) return false;
  const byCategory = STYLE_CATEGORY.test(category ?? "");
  const byRule = STYLE_CATEGORY.test(rule ?? "") || STYLE_RULE.test(rule ?? "");
  if (STYLE_WORDS.test(message)) return byRule || byCategory;
  if (byRule) return !BROAD_CATEGORY.test(rule ?? "");
  return byCategory && rule === null && !BROAD_CATEGORY.test(category ?? "");
}

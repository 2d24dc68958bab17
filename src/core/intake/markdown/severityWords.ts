import type { Severity, SourceSeverity } from "../../finding.ts";
import type { SeverityMap } from "../../severity.ts";
import { severityOf } from "../../severity.ts";

/** A severity as it was read from prose. */
export interface ReadSeverity {
  readonly severity: Severity;
  readonly sourceSeverity: SourceSeverity;
}

/**
 * The words a review may rank a finding with, by the word of our own scale they mean (C2). The one place they stand; each language a
 * line. Words that also mean something else everywhere ("note", "style") count in cells and labels only: `CELL_WORDS`.
 */
const WORDS = {
  critical: [
    "critical,crit,fatal,severe",
    "致命的,致命,严重,嚴重,危急,紧急,緊急,クリティカル,重大,심각,치명적",
    "kritisch,kritische,schwerwiegend,critique,bloquant,bloquante,crítico,crítica,critico,critica,bloccante,kritiek,krytyczny,kritik",
    "критический,критическая,критичный,критично",
  ],
  blocker: ["blocker,blocking,bloqueante,bloqueador,阻断,阻塞"],
  high: [
    "high,must fix,must-fix",
    "高危,高风险,高風險,高优先级,重要,高,높음,必须修复",
    "hoch,hohe,élevée,élevé,elevée,elevé,haute,haut,alto,alta,grave,elevato,elevata,hoog,wysoki,yüksek",
    "высокий,высокая",
  ],
  major: ["major,majeur,majeure,mayor,maior,maggiore,主要"],
  error: ["error,fehler,erreur,erro,错误,錯誤,エラー"],
  medium: [
    "medium,med,should fix,should-fix",
    "中危,中风险,中風險,中优先级,中等,一般,中,중간,보통,建议修复",
    "mittel,mittlere,moyen,moyenne,medio,media,médio,média,gemiddeld,średni,orta",
    "средний,средняя",
  ],
  moderate: ["moderate,modéré,modérée,moderado,moderada,moderato"],
  minor: ["minor,mineur,mineure,menor,minore,次要,轻微,輕微,軽微"],
  warning: ["warning,warnung,avertissement,advertencia,aviso,avviso,警告,예고,предупреждение"],
  low: [
    "low,nice to have,nice-to-have",
    "低危,低风险,低風險,低优先级,低,낮음",
    "niedrig,niedrige,gering,geringe,faible,basse,bajo,baja,leve,baixo,baixa,basso,bassa,lieve,laag,niski,düşük",
    "низкий,низкая",
  ],
  info: [
    "informational,info",
    "信息,提示,情報,정보",
    "hinweis,informatif,informative,informativo,informativa,информация",
  ],
  nit: ["nitpick,nit"],
  trivial: ["trivial"],
} as const satisfies Record<string, readonly string[]>;

const CELL_WORDS = {
  note: "note,注",
  style: "style",
  suggestion: "suggestion,建议,建議,提案",
  information: "information",
};

/** Signs that rank where they stand alone in the position of a rank; between two readings of a colour the worse one counts. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({ critical: "🔴🚨🛑⛔🟥", high: "🟠🟧", medium: "🟡🟨⚠", low: "🟢🟩🔵🟦", info: "ℹ💡⚪⬜" }).flatMap(
    ([meaning, signs]) => Array.from(signs, (sign) => [sign, meaning] as const),
  ),
);

/** Lower-case word -> word of our own scale. */
const MEANING: ReadonlyMap<string, string> = new Map(
  [
    ...Object.entries(WORDS),
    ...Object.entries(CELL_WORDS).map(([meaning, list]) => [meaning, [list]] as const),
  ].flatMap(([meaning, lists]) => lists.flatMap((list) => list.split(",").map((word) => [word, meaning] as const))),
);

function alternatives(lists: readonly string[]): string {
  const words = lists.flatMap((list) => list.split(","));
  return words.sort((a, b) => b.length - a.length).join("|");
}

/** Alternatives of a regular expression: every word that ranks wherever it stands in the position of a rank. */
export const SEVERITY_WORDS = `${alternatives(Object.values(WORDS).flat())}|P[0-4]`;

/** The same in plural, for headings that rank what stands under them: `## Warnings`. */
export const GROUP_WORDS = `${SEVERITY_WORDS}|criticals|blockers|warnings|errors|nits|nitpicks|minors|majors|infos|suggestions?|${alternatives(Object.values(CELL_WORDS))}`;

/** Words of English, which alone may rank a line of running text without a mark. */
export const ENGLISH_WORDS =
  "critical|fatal|severe|blocker|high|major|error|medium|moderate|minor|warning|low|informational|info|nitpick|nit|trivial|P[0-4]";

const FIRST_WORD = new RegExp(
  `^(?:[^\\p{L}\\p{N}]|ℹ)*(${SEVERITY_WORDS}|${alternatives(Object.values(CELL_WORDS))})(?:(?![\\p{L}\\p{N}])|(?<=[\\u2e80-\\u9fff\\uac00-\\ud7af]))`,
  "iu",
);

/**
 * The severity a cell or label starts with (`**HIGH**`, `🔴 Critical`, `高`, `INFO (downgraded: …)`); null where it starts with none. In
 * the table of R3.5 WARNING ranks higher than elsewhere. A word of the person's own `severityMap` counts as a whole.
 */
export function readSeverity(text: string, map: SeverityMap, ofFindingTable = false): ReadSeverity | null {
  const own: SourceSeverity = { scale: "word", value: text.replace(/[*_`]/g, "").trim() };
  const word = FIRST_WORD.exec(text.slice(0, 400))?.[1];
  const candidates: SourceSeverity[] = [own];
  if (word !== undefined && /^(?:P\d|nit)$/i.test(word)) candidates.push({ scale: "p-scale", value: word });
  if (word !== undefined && ofFindingTable) candidates.unshift({ scale: "archeflow-table", value: word });
  if (word !== undefined) candidates.push({ scale: "word", value: word });
  for (const sourceSeverity of candidates) {
    const severity = severityOf(sourceSeverity, map);
    if (severity !== null) return { severity, sourceSeverity };
  }
  return byMeaning(word ?? signIn(own.value), map);
}

/** The sign that a text consists of; empty where it says anything else. */
function signIn(text: string): string {
  const [sign = "", ...more] = Array.from(text.replace(/[\s\ufe0f]/g, ""));
  return more.length === 0 && SIGNS.has(sign) ? sign : "";
}

/** The severity of a word that was found in the position of a rank, singular or plural. */
export function severityOfWord(word: string, map: SeverityMap): ReadSeverity | null {
  return readSeverity(word, map) ?? (/s$/i.test(word) ? readSeverity(word.slice(0, -1), map) : null);
}

/** A word of another language, or a sign, ranks as the word it means; it is kept as written. */
function byMeaning(word: string, map: SeverityMap): ReadSeverity | null {
  const value = SIGNS.get(word) ?? MEANING.get(word.toLowerCase());
  const severity = value === undefined ? null : severityOf({ scale: "word", value }, map);
  return severity === null ? null : { severity, sourceSeverity: { scale: "word", value: word } };
}

/** What the page keeps across a reload, in the editor's `setState`: the finding shown and the person's view of it, nothing of the finding itself. */
export interface PageMemory {
  /** Key of the finding; the extension host reads it to restore the panel. */
  readonly key: string;
  /** Sections a person opened or closed, by id. */
  readonly open: Readonly<Record<string, boolean>>;
  /** A reason for dismissal that is not sent yet. */
  readonly draft: string;
  readonly formOpen: boolean;
  /** An objection to a second opinion that is being written. */
  readonly objection?: Objection | undefined;
  /** How far the page is scrolled, in CSS pixels. */
  readonly scroll: number;
}

/** One thing put against a second opinion, as it is being written. */
export interface Objection {
  readonly kind: string;
  readonly source: string;
  readonly text: string;
}

export const NO_OBJECTION: Objection = { kind: "test-output", source: "", text: "" };

/** A page that has just been opened for a finding. */
export function freshMemory(key: string): PageMemory {
  return { key, open: {}, draft: "", formOpen: false, scroll: 0 };
}

/** Reads what `getState` gave back; null where it is not ours or of another version. */
export function readMemory(raw: unknown): PageMemory | null {
  if (!isRecord(raw)) return null;
  const { key, open, draft, formOpen, objection, scroll } = raw;
  if (typeof key !== "string" || !isRecord(open)) return null;
  const flags = Object.entries(open).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean");
  return {
    key,
    open: Object.fromEntries(flags),
    draft: typeof draft === "string" ? draft : "",
    formOpen: formOpen === true,
    ...(isRecord(objection) ? { objection: readObjection(objection) } : {}),
    scroll: typeof scroll === "number" && Number.isFinite(scroll) ? Math.max(0, scroll) : 0,
  };
}

function readObjection({ kind, source, text }: Record<string, unknown>): Objection {
  return { kind: textOf(kind) || NO_OBJECTION.kind, source: textOf(source), text: textOf(text) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { step } from "./json.ts";
import { endOfString } from "./jsonValues.ts";

interface Frame {
  /** Pointer of the object or list; null where nothing below it is wanted. */
  readonly pointer: string | null;
  readonly isObject: boolean;
  index: number;
  key: string;
  atKey: boolean;
}

/**
 * The 1-based lines on which members of a JSON text begin, by their JSON pointers; a pointer that leads nowhere has none. One pass over
 * the text, which has to be valid JSON. Line ends are \n, \r\n or \r.
 */
export function linesOfPointers(text: string, wanted: readonly string[]): ReadonlyMap<string, number> {
  const ends = new Set(wanted);
  const ways = new Set(wanted.flatMap(prefixes));
  const lines = new Map<string, number>();
  const stack: Frame[] = [];
  let line = 1;
  const begin = (): string | null => {
    const pointer = pointerOf(stack.at(-1), ways);
    if (pointer !== null && ends.has(pointer) && !lines.has(pointer)) lines.set(pointer, line);
    return pointer;
  };
  for (let at = 0; at < text.length && lines.size < ends.size; at += 1) {
    const character = text[at] ?? "";
    const frame = stack.at(-1);
    if (character === "\n" || (character === "\r" && text[at + 1] !== "\n")) line += 1;
    else if (character === '"') {
      const end = endOfString(text, at + 1);
      if (frame?.isObject === true && frame.atKey) frame.key = frame.pointer === null ? "" : text.slice(at, end);
      else begin();
      at = end - 1;
    } else if (character === "{" || character === "[") {
      const isObject = character === "{";
      stack.push({ pointer: begin(), isObject, index: 0, key: "", atKey: isObject });
    } else if (character === "}" || character === "]") stack.pop();
    else if (character === ":" && frame !== undefined) frame.atKey = false;
    else if (character === "," && frame !== undefined) {
      frame.index += 1;
      frame.atKey = frame.isObject;
    } else if (/[-\dtfn]/.test(character)) {
      begin();
      while (/[\w.+-]/.test(text[at + 1] ?? "")) at += 1;
    }
  }
  return lines;
}

function prefixes(pointer: string): string[] {
  const all = [""];
  for (let at = pointer.indexOf("/", 1); at !== -1; at = pointer.indexOf("/", at + 1)) all.push(pointer.slice(0, at));
  return pointer === "" ? all : [...all, pointer];
}

/** Pointer of the value that begins in a frame; null where no wanted pointer goes that way. */
function pointerOf(frame: Frame | undefined, ways: ReadonlySet<string>): string | null {
  if (frame === undefined) return "";
  if (frame.pointer === null) return null;
  const pointer = step(frame.pointer, frame.isObject ? nameOf(frame.key) : frame.index);
  return ways.has(pointer) ? pointer : null;
}

function nameOf(quoted: string): string {
  const name: unknown = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
  return String(name);
}

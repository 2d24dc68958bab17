import { importsOf } from "../../core/code/imports.ts";
import type { Structure } from "../../core/code/structure.ts";
import { readStructure } from "../../core/code/textStructure.ts";
import type { Repository, SourceText, Structures } from "../../core/ports.ts";
import type { SyntaxReader } from "./reader.ts";

export interface StructuresOptions {
  readonly repository: Pick<Repository, "text">;
  /** Loads the reader of grammars when the first file is asked for; by default the one of this program. */
  readonly load?: () => Promise<SyntaxReader>;
}

/**
 * Structures of a workspace's live texts (port `Structures`): by the grammar of the language, or by patterns where there is
 * none or it failed. Each text is read once, as long as the repository keeps it.
 */
export function createStructures({ repository, load = loadReader }: StructuresOptions): Structures {
  const known = new WeakMap<SourceText, Promise<Structure>>();
  let reader: Promise<SyntaxReader | string> | null = null;

  const structureOf = async (text: SourceText): Promise<Structure> => {
    reader ??= load().catch((error: unknown) => `the parser could not be loaded (${String(error)})`);
    return await read(text, await reader);
  };
  return {
    async of(file) {
      const text = await repository.text(file);
      if (text === null) return null;
      const structure = known.get(text) ?? structureOf(text);
      known.set(text, structure);
      return await structure;
    },
  };
}

/** In the bundles this is a file of its own, so that nobody loads a parser who needs none. */
async function loadReader(): Promise<SyntaxReader> {
  const { createSyntaxReader } = await import("./reader.ts");
  return createSyntaxReader();
}

async function read({ file, lines, truncated }: SourceText, reader: SyntaxReader | string): Promise<Structure> {
  const parsed =
    typeof reader === "string"
      ? ({ kind: "unread", why: reader, sound: true } as const)
      : await reader.read(file, lines.join("\n"));
  if (parsed.kind === "unread") {
    const structure = readStructure(file, lines, parsed.why);
    return truncated || !parsed.sound ? { ...structure, sound: false } : structure;
  }
  const { language, sound, parts } = parsed;
  const imports = importsOf(file, lines);
  return { file, language, reader: "grammar", why: null, sound: sound && !truncated, ...parts, imports };
}

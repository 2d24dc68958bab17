import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import type { Now } from "../../core/ports.ts";
import { userCacheFolder } from "../journal.ts";
import { type ProbeCache, ServerTraits } from "./serverTraits.ts";

/** A server may have been updated since: older findings about it are made anew. */
const LONGEST_MS = 30 * 24 * 60 * 60 * 1000;
/** Servers on ports that change leave entries nobody will ask for again. */
const MOST_ENTRIES = 200;

const Entry = ServerTraits.extend({ at: z.iso.datetime() });
const File = z.object({ servers: z.record(z.string(), z.unknown()) });
type Entries = ReadonlyMap<string, z.output<typeof Entry>>;

/** Where editor and command line keep what they learnt about servers. */
export function probeFilePath(): string {
  return path.join(userCacheFolder(), "servers.json");
}

/**
 * What was learnt about servers, in a file that other processes write too. Whatever is damaged, too old or unreadable is not
 * known; what cannot be written is kept for this process. Holds addresses and names of models, no key.
 */
export function openProbeFile(file: string, now: Now): ProbeCache {
  const own = new Map<string, ServerTraits>();
  let kept: Entries | null = null;
  return {
    get(key) {
      kept ??= read(file, now);
      return own.get(key) ?? kept.get(key);
    },
    set(key, traits) {
      own.set(key, traits);
      const at = now().toISOString();
      kept = new Map([...read(file, now)].filter(([other]) => other !== key).concat([[key, { ...traits, at }]]));
      write(file, kept);
    },
  };
}

function read(file: string, now: Now): Entries {
  const entries = new Map<string, z.output<typeof Entry>>();
  let text: unknown;
  try {
    text = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return entries;
  }
  const parsed = File.safeParse(text);
  for (const [key, value] of Object.entries(parsed.data?.servers ?? {})) {
    const entry = Entry.safeParse(value);
    if (!entry.success) continue;
    const age = now().getTime() - Date.parse(entry.data.at);
    if (age >= 0 && age < LONGEST_MS) entries.set(key, entry.data);
  }
  return entries;
}

function write(file: string, entries: Entries): void {
  const newest = [...entries].sort(([, a], [, b]) => b.at.localeCompare(a.at)).slice(0, MOST_ENTRIES);
  const temporary = `${file}.${process.pid}.tmp`;
  // A cache folder that cannot be written costs a probe in the next process, nothing else.
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(temporary, `${JSON.stringify({ servers: Object.fromEntries(newest) }, null, 2)}\n`, { mode: 0o600 });
    try {
      renameSync(temporary, file);
    } catch {
      rmSync(temporary, { force: true });
    }
  } catch {
    return;
  }
}

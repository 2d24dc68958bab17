import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import type { Proposal } from "../../core/proposal.ts";

const Stored = z.object({
  version: z.literal(1),
  lines: z.array(z.object({ line: z.string().min(1), at: z.string() })),
});
export type RememberedLine = z.infer<typeof Stored>["lines"][number];

/** What a person allowed and what waits to be asked. A line is allowed as it is, to the letter, in this workspace only. */
export interface Consent {
  allows(line: string): Promise<boolean>;
  /** Notes what would be run if it were accepted. */
  propose(proposal: Proposal): void;
  /** What was proposed in this process under a line, accepted or not; null where nothing was. */
  proposed(line: string): Proposal | null;
  /** Not accepted yet, in the order they came up. */
  proposals(): readonly Proposal[];
  /** Accepts a line until this process ends, or with `always` until it is revoked. Resolves when it is on disk. */
  accept(line: string, always: boolean): Promise<void>;
  /** Takes back an acceptance that was for one time; what is remembered stays. */
  release(line: string): void;
  remembered(): Promise<readonly RememberedLine[]>;
  /** Takes an acceptance back; false where there was none. */
  revoke(line: string): Promise<boolean>;
}

/** Consent kept in a JSON file of the user's own, never in the workspace. A damaged file holds no consent. */
export function createConsent(file: string, now: () => Date): Consent {
  const accepted = new Set<string>();
  const proposed = new Map<string, Proposal>();
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return await mine;
  };
  return {
    allows: async (line) => accepted.has(line) || (await read(file)).some((row) => row.line === line),
    propose: (proposal) => void proposed.set(proposal.line, proposal),
    proposed: (line) => proposed.get(line) ?? null,
    proposals: () => [...proposed.values()].filter(({ line }) => !accepted.has(line)),
    accept: async (line, always) => {
      await inTurn(async () => {
        if (always) {
          const others = (await read(file)).filter((row) => row.line !== line);
          await write(file, [...others, { line, at: now().toISOString() }]);
        }
        accepted.add(line);
      });
    },
    release: (line) => void accepted.delete(line),
    remembered: async () => await read(file),
    revoke: async (line) =>
      await inTurn(async () => {
        const before = await read(file);
        const left = before.filter((row) => row.line !== line);
        const here = accepted.delete(line);
        if (left.length === before.length) return here;
        await write(file, left);
        return true;
      }),
  };
}

async function read(file: string): Promise<readonly RememberedLine[]> {
  try {
    const parsed = Stored.safeParse(JSON.parse(await readFile(file, "utf8")));
    return parsed.success ? parsed.data.lines : [];
  } catch {
    return [];
  }
}

async function write(file: string, lines: readonly RememberedLine[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, "w", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify({ version: 1, lines }, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

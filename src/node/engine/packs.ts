import { atomsOf } from "../../core/claim.ts";
import { result } from "../../core/checks/check.ts";
import { buildPack } from "../../core/evidence/gather.ts";
import type { Pack } from "../../core/evidence/pack.ts";
import type { Entry } from "./entry.ts";
import type { EngineOptions } from "./engineOptions.ts";

/** Packs that are kept: the findings a person goes back and forth between. */
const MOST_KEPT = 24;

type Ports = Pick<EngineOptions, "repository" | "structures" | "verbs" | "mask" | "log">;

/**
 * Evidence packs for whoever looks at a finding, before anyone has judged it. Always of the code as it stands: a change of
 * any file forgets them all, because any file may bear on any finding.
 */
export class Packs {
  readonly #ports: Ports;
  readonly #kept = new Map<string, Pack | "cutting">();
  #turn = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The pack of an entry; null while it is being cut, and `done` is called once it is there. */
  of(entry: Entry, done: () => void): Pack | null {
    const id = `${entry.finding.key} ${entry.triaged === null ? "" : "checked"}`;
    const known = this.#kept.get(id);
    if (known !== undefined) return known === "cutting" ? null : known;
    this.#keep(id, "cutting");
    const turn = this.#turn;
    void this.#cut(entry).then((pack) => {
      if (turn !== this.#turn) return;
      if (pack === null) this.#kept.delete(id);
      else this.#keep(id, pack);
      done();
    });
    return null;
  }

  /** Forgets all: some code changed. */
  forget(): void {
    this.#turn += 1;
    this.#kept.clear();
  }

  async #cut(entry: Entry): Promise<Pack | null> {
    const { verbs, mask, log } = this.#ports;
    const { signal } = new AbortController();
    const desk = { run: async (call: Parameters<typeof verbs.run>[0]) => await verbs.run(call, "pack", signal) };
    const checks =
      entry.triaged?.checks ??
      atomsOf(mask(entry.finding.message)).map((atom) => result("claim", atom, "unknown", "Not checked yet."));
    try {
      return await buildPack(entry.finding, checks, { ...this.#ports, desk });
    } catch (error) {
      log("error", `The evidence of ${entry.finding.key} could not be collected: ${String(error)}`);
      return null;
    }
  }

  #keep(id: string, pack: Pack | "cutting"): void {
    this.#kept.delete(id);
    this.#kept.set(id, pack);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

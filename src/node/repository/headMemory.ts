import { type HeadFiles, readHeadFiles } from "./headFiles.ts";
import { RecentTexts } from "../recentTexts.ts";

/** A committed file; `text` null where it is none. */
export interface Blob {
  readonly text: string | null;
}

/** Characters of committed text that are kept. */
const KEPT_CHARACTERS = 4 * 1024 * 1024;

/**
 * What git said about HEAD, for as long as the files that say it read the same. An answer is kept only where those files agree
 * with it: whatever else git takes into account is asked of git each time. Texts are kept by commit, which never changes.
 */
export class HeadMemory {
  readonly #root: string;
  #print: string | null = null;
  #head = false;
  readonly #blobs = new RecentTexts<Blob>(KEPT_CHARACTERS, ({ text }) => text?.length ?? 0);

  /** `root` is the absolute folder that git runs in. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The commit of HEAD. `ask` asks git; what it rejects with is rejected. */
  async head(ask: () => Promise<string | null>): Promise<string | null> {
    const before = this.#look();
    if (before !== null && this.#head) return before.commit;
    const answer = await ask();
    // Something may have been committed while git looked.
    const after = this.#look();
    if (after !== null && after.print === before?.print) this.#head = after.commit === answer;
    return answer;
  }

  /** The branch that is checked out, by its files where git has agreed with them about the commit. */
  async branch(ask: () => Promise<string | null>): Promise<string | null> {
    const files = this.#look();
    return files !== null && this.#head ? files.branch : await ask();
  }

  blob(commit: string, file: string): Blob | undefined {
    return this.#blobs.get(`${commit}:${file}`);
  }

  /** Kept under the full id of a commit only: a name may come to mean another one. */
  keepBlob(commit: string, file: string, blob: Blob): void {
    if (/^[0-9a-f]{40,64}$/.test(commit)) this.#blobs.put(`${commit}:${file}`, blob);
  }

  /** The files as they are now; what was known is dropped where they differ from what they were. */
  #look(): HeadFiles | null {
    const files = readHeadFiles(this.#root);
    const print = files?.print ?? null;
    if (print === null || print !== this.#print) {
      this.#head = false;
      this.#blobs.clear();
    }
    this.#print = print;
    return files;
  }
}

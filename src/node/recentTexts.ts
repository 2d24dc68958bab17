/** Values by name, as long as their texts take no more than so many characters together; the least recently used go first. */
export class RecentTexts<T> {
  readonly #most: number;
  readonly #length: (value: T) => number;
  readonly #kept = new Map<string, T>();
  #characters = 0;

  /** `most` characters in all; `length` tells those of one value. */
  constructor(most: number, length: (value: T) => number) {
    this.#most = most;
    this.#length = length;
  }

  get(name: string): T | undefined {
    const known = this.#kept.get(name);
    if (known === undefined) return undefined;
    this.#kept.delete(name);
    this.#kept.set(name, known);
    return known;
  }

  put(name: string, value: T): void {
    this.#drop(name);
    this.#characters += this.#length(value);
    this.#kept.set(name, value);
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= this.#most) break;
      this.#drop(oldest);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#characters = 0;
  }

  #drop(name: string): void {
    const known = this.#kept.get(name);
    if (known === undefined) return;
    this.#characters -= this.#length(known);
    this.#kept.delete(name);
  }
}

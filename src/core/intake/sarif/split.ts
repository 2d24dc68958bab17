/** Bytes of one result: `[start, end)` in the file, and the members inside it that were left out for later. */
export interface ResultRange {
  readonly run: number;
  /** Position in its run's list of results. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  /** `[start, end, start, end, …)` of values that are read only when shown: flows, stacks, graphs, web requests. */
  readonly holes: readonly number[];
}

/** What a splitter found in a whole log. */
export interface SplitLog {
  /** The log's bytes without its results, as ranges `[start, end, …)`: together they are a JSON document with empty lists. */
  readonly skeleton: readonly number[];
  readonly ranges: readonly ResultRange[];
  /** False where the document ended before its brackets were closed: what was complete is still there. */
  readonly complete: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;

/** Brackets that are open: the log, `runs`, a run, `results`, a result. */
const IN_LOG = 1;
const IN_RUNS = 2;
const IN_RUN = 3;
const IN_RESULTS = 4;
const IN_RESULT = 5;

/** Members of a result that can be large and are shown only in the panel. */
const LATER: ReadonlySet<string> = new Set([
  "codeFlows",
  "stacks",
  "graphs",
  "graphTraversals",
  "webRequest",
  "webResponse",
  "attachments",
]);
/** Longest key that is remembered; the ones that matter are shorter. */
const LONGEST_KEY = 24;

/**
 * Finds the results of a SARIF log in its bytes, without making objects of it: so a log of any size can be read piece by
 * piece (JSON.parse cannot take more than 512 MB, and holds all of it). Chunks may end anywhere. Works on UTF-8, where no
 * byte of a longer character is a quote or a bracket.
 */
export class SarifSplitter {
  readonly #ranges: ResultRange[] = [];
  readonly #skeleton: number[] = [];
  #offset = 0;
  #depth = 0;
  #inString = false;
  /** The chunk ended right behind a backslash: the next byte is part of the string whatever it is. */
  #escaped = false;
  #keyBytes: number[] = [];
  /** The last string at a depth whose keys matter; it becomes the key at the colon. */
  #key = "";
  readonly #keys = new Map<number, string>();
  #run = -1;
  #index = -1;
  #keptFrom = 0;
  #start = -1;
  #holes: number[] = [];
  #holeFrom = -1;

  /** Takes the next bytes of the file. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#inString) at = this.#skipString(chunk, at);
      else if (this.#depth > IN_RESULT) at = this.#skipNested(chunk, at);
      else {
        this.#take(this.#offset + at, chunk[at] ?? 0);
        at += 1;
      }
    }
    this.#offset += chunk.length;
  }

  /** One byte where keys and brackets have a meaning. */
  #take(at: number, byte: number): void {
    if (this.#depth === IN_RESULTS && this.#keptFrom < 0) this.#betweenResults(at, byte);
    if (byte === QUOTE) this.#openString();
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(at, byte);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close(at);
    else if (byte === COLON) this.#colon(at);
    else if (byte === COMMA) this.#comma(at);
  }

  /** Inside a member of a result only brackets and strings count. Most bytes of a log are here: a plain loop is fastest. */
  #skipNested(chunk: Uint8Array, from: number): number {
    let depth = this.#depth;
    let at = from;
    while (at < chunk.length) {
      const byte = chunk[at] ?? 0;
      if (byte === QUOTE) {
        at += 1;
        while (at < chunk.length && chunk[at] !== QUOTE) at += chunk[at] === BACKSLASH ? 2 : 1;
        if (at >= chunk.length) {
          this.#inString = true;
          this.#escaped = at > chunk.length;
          this.#depth = depth;
          return chunk.length;
        }
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (depth === IN_RESULT + 1) {
          this.#depth = IN_RESULT;
          return at + 1;
        }
        depth -= 1;
      }
      at += 1;
    }
    this.#depth = depth;
    return at;
  }

  /** Ends the document. */
  end(): SplitLog {
    const complete = this.#depth === 0 && !this.#inString;
    if (this.#keptFrom >= 0 && this.#keptFrom < this.#offset) this.#skeleton.push(this.#keptFrom, this.#offset);
    return { skeleton: this.#skeleton, ranges: this.#ranges, complete };
  }

  /** A member of the list that is no object or list is a result too, if a broken one. */
  #betweenResults(at: number, byte: number): void {
    const ends = byte === COMMA || byte === CLOSE_LIST;
    if (ends && this.#start >= 0) this.#endResult(at);
    const opens = byte === OPEN_OBJECT || byte === OPEN_LIST;
    if (!ends && !opens && byte > SPACE && this.#start < 0) this.#beginResult(at);
  }

  #beginResult(at: number): void {
    this.#index += 1;
    this.#start = at;
    this.#holes = [];
    this.#holeFrom = -1;
    this.#keys.delete(IN_RESULT);
  }

  #endResult(end: number): void {
    this.#ranges.push({ run: this.#run, index: this.#index, start: this.#start, end, holes: this.#holes });
    this.#start = -1;
  }

  #openString(): void {
    this.#inString = true;
    this.#escaped = false;
    this.#keyBytes = [];
  }

  /** Moves behind the string's closing quote, or to the chunk's end. */
  #skipString(chunk: Uint8Array, from: number): number {
    let at = this.#escaped ? from + 1 : from;
    while (at < chunk.length && chunk[at] !== QUOTE) at += chunk[at] === BACKSLASH ? 2 : 1;
    const wanted = this.#wantsKey();
    if (wanted) this.#remember(chunk, from, Math.min(at, chunk.length));
    this.#escaped = at > chunk.length;
    if (at >= chunk.length) return chunk.length;
    this.#inString = false;
    if (wanted) this.#key = String.fromCharCode(...this.#keyBytes);
    return at + 1;
  }

  #wantsKey(): boolean {
    return this.#depth === IN_LOG || this.#depth === IN_RUN || (this.#depth === IN_RESULT && this.#start >= 0);
  }

  #remember(chunk: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to && this.#keyBytes.length < LONGEST_KEY; at += 1) this.#keyBytes.push(chunk[at] ?? 0);
  }

  #colon(at: number): void {
    if (!this.#wantsKey()) return;
    this.#keys.set(this.#depth, this.#key);
    if (this.#depth === IN_RESULT && LATER.has(this.#key)) this.#holeFrom = at + 1;
  }

  #comma(at: number): void {
    if (this.#depth === IN_RESULT) this.#endHole(at);
    if (this.#depth === IN_RUNS && this.#inRuns()) this.#run += 1;
  }

  #endHole(at: number): void {
    if (this.#holeFrom >= 0 && this.#start >= 0) this.#holes.push(this.#holeFrom, at);
    this.#holeFrom = -1;
  }

  #open(at: number, byte: number): void {
    this.#depth += 1;
    if (this.#depth === IN_RUNS && this.#inRuns()) this.#run = 0;
    if (this.#depth === IN_RUN) this.#keys.delete(IN_RUN);
    if (this.#depth === IN_RESULTS && byte === OPEN_LIST && this.#inRuns() && this.#keys.get(IN_RUN) === "results") {
      this.#skeleton.push(this.#keptFrom, at + 1);
      this.#keptFrom = -1;
      this.#index = -1;
    }
    if (this.#depth === IN_RESULT && this.#keptFrom < 0) this.#beginResult(at);
  }

  #inRuns(): boolean {
    return this.#keys.get(IN_LOG) === "runs";
  }

  #close(at: number): void {
    if (this.#depth === IN_RESULT && this.#start >= 0) {
      this.#endHole(at);
      this.#endResult(at + 1);
    }
    if (this.#depth === IN_RESULTS && this.#keptFrom < 0) this.#keptFrom = at;
    this.#depth = Math.max(0, this.#depth - 1);
  }
}

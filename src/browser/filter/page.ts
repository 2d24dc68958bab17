import { render } from "lit";
import type { FilterView, FromFilter, ToFilter } from "../../protocol/filter.ts";
import { base } from "../styles/base.ts";
import { bar } from "./styles.ts";
import { draw, type BoxName } from "./view.ts";

/** What is typed is taken over after such a pause, in milliseconds. */
const PAUSE_MS = 150;

interface Draft {
  readonly text: string;
  /** Whether the extension host has been told. */
  readonly sent: boolean;
}

/** The page with the search and filter bar: draws the filter it is told of, posts what the person changes. */
export class FilterPage {
  readonly #post: (message: FromFilter) => void;
  readonly #root: HTMLElement;
  #view: FilterView | null = null;
  /** What stands in a box and not yet in the filter: a message that comes meanwhile must not undo what is typed. */
  readonly #drafts = new Map<BoxName, Draft>();
  #timer: number | undefined;

  constructor(post: (message: FromFilter) => void, root: HTMLElement) {
    this.#post = post;
    this.#root = root;
  }

  /** Adopts the styles, listens, and says `ready`. */
  start(): void {
    const sheets = [base, bar].flatMap(({ styleSheet }) => styleSheet ?? []);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...sheets];
    window.addEventListener("message", (event: MessageEvent<unknown>) => {
      if (isToFilter(event.data)) this.#receive(event.data.view);
    });
    // The editor's command "Focus on Filter View" gives the focus to the page as a whole.
    window.addEventListener("focus", () => {
      if (document.activeElement === document.body) document.getElementById("text")?.focus();
    });
    this.#post({ type: "ready" });
  }

  #receive(view: FilterView): void {
    this.#view = view;
    for (const [box, { text, sent }] of this.#drafts) {
      if (sent && view.query[box] === text) this.#drafts.delete(box);
    }
    this.#draw();
  }

  #draw(): void {
    if (this.#view === null) return;
    render(
      draw(this.#view, {
        textOf: (box) => this.#drafts.get(box)?.text ?? this.#view?.query[box] ?? "",
        typed: (box, text) => this.#typed(box, text),
        entered: () => this.#send({}),
        change: (change) => this.#send(change),
        post: (message) => this.#post(message),
        clear: () => {
          window.clearTimeout(this.#timer);
          this.#drafts.clear();
          this.#post({ type: "clear" });
        },
      }),
      this.#root,
    );
  }

  #typed(box: BoxName, text: string): void {
    this.#drafts.set(box, { text, sent: false });
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#send({}), PAUSE_MS);
    this.#draw();
  }

  /** Sends the filter with a change, and with what is typed so far. */
  #send(change: Partial<FilterView["query"]>): void {
    window.clearTimeout(this.#timer);
    if (this.#view === null) return;
    const query = { ...this.#view.query, ...change };
    for (const [box, { text }] of this.#drafts) {
      query[box] = text;
      this.#drafts.set(box, { text, sent: true });
    }
    this.#post({ type: "query", query: copyOf(query) });
    // What was pressed is seen at once; the counts come with the answer.
    this.#view = { ...this.#view, query };
    this.#draw();
  }
}

/** The message's own lists: the protocol's are not to be changed. */
function copyOf(query: FilterView["query"]): Extract<FromFilter, { type: "query" }>["query"] {
  const { severities, states, tools, rules } = query;
  return { ...query, severities: [...severities], states: [...states], tools: [...tools], rules: [...rules] };
}

/** Only our host can post to this page, but the browser and its tools post messages of their own. */
function isToFilter(data: unknown): data is ToFilter {
  return typeof data === "object" && data !== null && "type" in data && data.type === "filter" && "view" in data;
}

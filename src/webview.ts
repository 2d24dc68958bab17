import type { FromFilter } from "./protocol/filter.ts";
import type { FromPanel } from "./protocol/panel.ts";
import { FilterPage } from "./browser/filter/page.ts";
import type { PageMemory } from "./browser/memory.ts";
import { PanelPage } from "./browser/page.ts";

declare function acquireVsCodeApi(): {
  postMessage(message: FromPanel | FromFilter): void;
  getState(): unknown;
  setState(memory: PageMemory): void;
};

const editor = acquireVsCodeApi();
const root = document.createElement("div");
root.id = "skeptical-triage";
document.body.append(root);
// The editor's own wire, not a window: it takes no target origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const post = (message: FromPanel | FromFilter): void => editor.postMessage(message);
// The extension host says in the page's source which of the two it is.
if (document.body.dataset["page"] === "filter") new FilterPage(post, root).start();
else new PanelPage({ post, recall: () => editor.getState(), keep: (memory) => editor.setState(memory) }, root).start();

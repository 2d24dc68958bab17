import type { FromPanel } from "./protocol/panel.ts";
import type { PageMemory } from "./browser/memory.ts";
import { PanelPage } from "./browser/page.ts";

declare function acquireVsCodeApi(): {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(memory: PageMemory): void;
};

const editor = acquireVsCodeApi();
const root = document.createElement("div");
root.id = "skeptical-triage";
document.body.append(root);
new PanelPage(
  {
    // The editor's own wire, not a window: it takes no target origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    post: (message) => editor.postMessage(message),
    recall: () => editor.getState(),
    keep: (memory) => editor.setState(memory),
  },
  root,
).start();

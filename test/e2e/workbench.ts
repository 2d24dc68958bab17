import type { FrameLocator, Locator, Page } from "playwright-core";

/**
 * Locators and gestures for the VS Code workbench (1.139) in Chromium. Roles and visible names first; class names only where the
 * workbench offers no role. Every gesture waits for its effect.
 */
export class Workbench {
  readonly page: Page;
  readonly quickInput: Locator;
  readonly dialog: Locator;
  readonly toasts: Locator;
  readonly statusBar: Locator;

  constructor(page: Page) {
    this.page = page;
    this.quickInput = page.locator(".quick-input-widget");
    this.dialog = page.locator(".monaco-dialog-box");
    this.toasts = page.locator(".notifications-toasts .notification-list-item");
    this.statusBar = page.locator(".part.statusbar");
  }

  /** Workbench painted and the workspace listed. */
  async ready(timeout = 90_000): Promise<void> {
    await this.page.locator(".monaco-workbench").waitFor({ timeout });
    await this.page.locator(".part.statusbar .statusbar-item").first().waitFor({ timeout });
    await this.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout });
  }

  /** Opens a file of the workspace through quick open, by its name, and returns its editor. */
  async openFile(name: string): Promise<Locator> {
    await this.page.keyboard.press("Control+P");
    await this.quickInput.locator("input").fill(name);
    await this.quickInput
      .getByRole("option", { name: named(name) })
      .first()
      .click();
    const editor = this.editor(name);
    await editor.waitFor();
    return editor;
  }

  /** The text editor that shows a file; `path` is the end of its address. */
  editor(path: string): Locator {
    return this.page.locator(`.editor-instance .monaco-editor[data-uri$="/${path}"]`).first();
  }

  tab(name: string): Locator {
    return this.page.getByRole("tab", { name: named(name) }).first();
  }

  async closeTab(name: string): Promise<void> {
    const tab = this.tab(name);
    await tab.hover();
    await tab.getByRole("button", { name: /^Close/ }).click();
    await tab.waitFor({ state: "hidden" });
  }

  /** Runs a command from the palette. The title is `Category: Title` as the palette shows it. */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press("F1");
    await this.quickInput.locator("input").fill(`>${title}`);
    await this.quickInput
      .getByRole("option", { name: named(title) })
      .first()
      .click();
  }

  /** The line of an editor that holds this text. */
  line(editor: Locator, text: string): Locator {
    return editor.locator(".view-line", { hasText: text }).first();
  }

  /** Right-clicks a line, where the cursor was put before, and chooses a menu item. */
  async contextMenuOnLine(editor: Locator, text: string, item: string): Promise<void> {
    // Near its start: the middle of a long line lies behind the scroll bar.
    const position = { x: 40, y: 8 };
    await this.line(editor, text).click({ position });
    await this.line(editor, text).click({ position, button: "right" });
    await this.chooseMenuItem(item);
  }

  /** Chooses an item of the open context menu. */
  async chooseMenuItem(item: string): Promise<void> {
    const entry = this.page.getByRole("menuitem", { name: named(item) }).first();
    await entry.hover();
    await entry.click();
    await entry.waitFor({ state: "hidden" });
  }

  lens(editor: Locator, title: string | RegExp): Locator {
    return editor.locator(".codelens-decoration a", { hasText: title }).first();
  }

  /**
   * Clicks a lens. The editor drops a pending refresh of its lenses when it loses the focus, and then shows the old ones as plain
   * text until it is focused again: so it is focused first.
   */
  async clickLens(editor: Locator, title: string | RegExp): Promise<void> {
    await editor.locator(".native-edit-context, textarea.inputarea").first().focus();
    await this.lens(editor, title).click();
  }

  toast(text: string | RegExp): Locator {
    return this.toasts.filter({ hasText: text }).first();
  }

  async answerDialog(button: string): Promise<void> {
    await this.dialog.getByRole("button", { name: button, exact: true }).click();
    await this.dialog.waitFor({ state: "hidden" });
  }

  /** Fills an open input box or the filter of an open pick. */
  async input(text: string): Promise<void> {
    await this.quickInput.locator("input").fill(text);
    await this.page.keyboard.press("Enter");
    await this.quickInput.waitFor({ state: "hidden" });
  }

  /**
   * The page of a webview whose title starts like this. Two nested frames: the outer one belongs to the workbench, the inner one
   * holds the page and carries the title. A frame locator, since the inner frame is replaced when its HTML is set again.
   */
  async webview(title: string, timeout = 30_000): Promise<FrameLocator> {
    const end = Date.now() + timeout;
    for (;;) {
      for (const outer of await this.page.locator("iframe.webview.ready").all()) {
        const name = await outer.getAttribute("name").catch(() => null);
        if (name === null) continue;
        // Addressed by its name: a frame locator fails as soon as two webviews match it.
        const frame = this.page.frameLocator(`iframe.webview[name="${name}"]`);
        const inner = await frame
          .locator("iframe#active-frame")
          .getAttribute("title", { timeout: 1000 })
          .catch(() => null);
        if (inner?.startsWith(title) === true) return frame.frameLocator("iframe#active-frame");
      }
      if (Date.now() > end) throw new Error(`no webview titled '${title}'`);
      await this.page.waitForTimeout(100);
    }
  }

  /** The icon of a view container, with its badge. */
  activityIcon(title: string): Locator {
    return this.page.locator(".part.activitybar").getByRole("tab", { name: named(title) });
  }

  /** Shows the sidebar of a view container. */
  async openViewContainer(title: string): Promise<void> {
    const tab = this.activityIcon(title);
    if ((await tab.getAttribute("aria-selected")) !== "true") await tab.click();
  }

  /** A row of a tree view by the start of its accessible name. */
  treeRow(view: string | RegExp, label: string | RegExp): Locator {
    const name = typeof label === "string" ? named(label) : label;
    return this.page.getByRole("tree", { name: view }).getByRole("treeitem", { name }).first();
  }

  /** Chooses a quick fix at the cursor. Asked again while it is not offered: providers are registered after the first diagnostics. */
  async quickFix(title: string): Promise<void> {
    const menu = this.page
      .locator(".action-widget")
      .filter({ has: this.page.getByRole("option") })
      .first();
    const option = menu.getByRole("option", { name: named(title) });
    for (let asked = 0; asked < 10 && !(await option.isVisible()); asked += 1) {
      if (asked > 0) await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+.");
      await option.waitFor({ timeout: 3000 }).catch(() => undefined);
    }
    await option.click();
    await menu.waitFor({ state: "hidden" });
  }

  /** Chooses a colour theme by its label, which is not always its id. */
  async setTheme(label: string): Promise<void> {
    await this.runCommand("Preferences: Color Theme");
    await this.quickInput.locator("input").fill(label);
    await this.quickInput
      .getByRole("option", { name: named(label) })
      .first()
      .click();
    await this.quickInput.waitFor({ state: "hidden" });
  }
}

/** Accessible names in the workbench go on after the label: 'Alpha, has actions', 'routes.ts src, file results'. */
function named(label: string): RegExp {
  return new RegExp(`^${label.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}([ ,]|$)`);
}

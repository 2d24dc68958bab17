// Makes the two pictures of the README from the real editor, the packaged extension and the demo workspace:
//   node test/e2e/pictures.ts
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { AGREES, DISMISSES, rounds, see, type Persona, type PersonaAnswer } from "../support/personas.ts";
import type { Script } from "../support/scriptedReplies.ts";
import { startScriptedServer } from "../support/scriptedServer.ts";
import { ROOT } from "../support/workerProcess.ts";
import type { Page } from "playwright-core";
import { button, headline } from "./panel.ts";
import { startSession, VIEW, type Session } from "./session.ts";

const SIZE = { width: 1760, height: 1131 };

const CITED = {
  statement: cite(
    "src/store.ts",
    16,
    '  const sql = "SELECT id, weight, price FROM parcels ORDER BY " + column + " LIMIT ? OFFSET ?";',
  ),
  only: cite("src/routes.ts", 17, "  return await listParcels(services.db, column, page);"),
  thrown: cite("src/validate.ts", 13, '  if (column === undefined) throw new RangeError("unknown sort column");'),
  list: cite("src/limits.ts", 8, 'export const SORTABLE = ["created", "weight", "price"] as const;'),
};

/** What a careful model would say of the concatenated SQL in the demo: right about the function, but every caller is guarded. */
const CAREFUL: Persona = {
  ...DISMISSES,
  premise: {
    verdict: "VALID",
    crux: "`column` goes into the statement as it is: text from a request would be injectable.",
    reasoning: "The statement is built by concatenation, and the function itself checks nothing.",
    citations: [CITED.statement],
  },
  defences: {
    verdict: "INVALID",
    crux: "`sortColumn` throws for everything that is not on a fixed list.",
    reasoning: "The value that reaches the statement is one of three constants, never the text of the request.",
    citations: [CITED.thrown],
    grepUsed: false,
  },
  missed: {
    verdict: "INVALID",
    crux: "`listParcels` has one caller, and that one is guarded.",
    reasoning: "A search for the name finds the definition, one import and one call.",
    citations: [CITED.only],
  },
  arbiter: {
    verdict: "INVALID",
    crux: "Only the names in `SORTABLE` ever reach the statement.",
    reasoning: "Round 1 is right about the function and wrong about the program.",
    citations: [CITED.list],
  },
};

function cite(file: string, line: number, quote: string): PersonaAnswer["citations"][number] {
  return { file, line, endLine: line, quote };
}

/** CAREFUL for the SQL; the bad basket and the label's path are real, the negative page is not. */
const script: Script = (request, index) => {
  const claim = see(request)?.claim ?? "";
  const persona = claim.includes("SQL") ? CAREFUL : claim.includes("page 0") ? DISMISSES : AGREES;
  const answer = rounds(persona);
  return typeof answer === "function" ? answer(request, index) : { does: "reset" };
};

/** The code with its lens on the left, verdict, rounds and arbiter on the right. */
async function panelPicture({ page, workbench, panel }: Session): Promise<void> {
  const editor = await workbench.openFile("store.ts");
  await workbench.clickLens(editor, "P1 · not triaged · Triage");
  const frame = await panel.of("src/store.ts:16");
  await button(frame, "triage").click();
  await workbench.answerDialog("Send Code");
  await headline(frame).filter({ hasText: "Proposed" }).waitFor();
  await workbench.lens(editor, "waits for you").waitFor();
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
  await drag(page, await leftOf(page, ".editor-group-container >> nth=-1"), 640);
  await frame.locator(".verdict").evaluate((verdict) => verdict.scrollIntoView({ block: "start" }));
  await picture(page, "panel");
}

/** The view with its counts and states, and a file with its lenses. */
async function findingsPicture({ page, workbench, panel }: Session): Promise<void> {
  await panel.tab.getByRole("button", { name: /^Close/ }).click();
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
  await workbench.openViewContainer(VIEW);
  // The filter bar has the focus while its page loads: a key pressed now would be lost.
  await workbench.line(workbench.editor("store.ts"), "const sql").click({ position: { x: 40, y: 8 } });
  await workbench.runCommand("Skeptical Triage: Triage All Open P0/P1");
  await workbench.treeRow("Findings", /not triaged/).waitFor({ state: "hidden" });
  await workbench.treeRow("Findings", /triage: /).waitFor({ state: "hidden" });
  // The border to drag lies in the gap before the editor.
  await drag(page, (await leftOf(page, ".part.editor")) - 3, 800);
  await workbench.line(workbench.editor("store.ts"), "const sql").click({ position: { x: 40, y: 8 } });
  await picture(page, "findings", { width: SIZE.width, height: 780 });
}

async function leftOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not shown`);
  return box.x;
}

async function drag(page: Page, from: number, to: number): Promise<void> {
  await page.mouse.move(from, 500);
  await page.mouse.down();
  await page.mouse.move(to, 500, { steps: 5 });
  await page.mouse.up();
}

/** Shrunk, so that more of the editor finds room in a picture 1400 wide. */
async function picture(page: Page, name: string, size = SIZE): Promise<void> {
  await page.setViewportSize(size);
  await page.mouse.move(900, size.height - 5);
  const devtools = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, ...size, scale: 1400 / size.width };
  const { data } = await devtools.send("Page.captureScreenshot", { format: "png", clip });
  await writeFile(path.join(ROOT, "media", `${name}.png`), Buffer.from(data, "base64"));
}

const server = await startScriptedServer(script);
const session = await startSession({
  settings: { "workbench.colorTheme": "Dark 2026" },
  machine: {
    "skepticalTriage.model": "server",
    "skepticalTriage.serverUrl": server.url,
    "skepticalTriage.serverModel": "local-model",
  },
});
try {
  await session.page.setViewportSize(SIZE);
  await panelPicture(session);
  await findingsPicture(session);
} finally {
  await session.close();
  await server.close();
}

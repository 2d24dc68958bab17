// npm start: builds, triages the demo workspace on the terminal, then opens it in an editor with the extension.
//   npm start -- --no-editor   stops after the terminal part
// It works on a copy of the demo, because triage writes its log into the workspace.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findDesktop, openInDesktop } from "./desktop.mjs";
import { ensureHost, ensureSystemPackages, hostFolder, runScript, root, say, SetupError } from "./setup.mjs";
import { makeVsix, must } from "./vsix.mjs";

const { values: flags } = parseArgs({ options: { "no-editor": { type: "boolean", default: false } } });

/** What `triage` may end with although it did its work: nothing open, something open, something not triaged. */
const RAN = new Set([0, 1, 3]);

async function main() {
  say("building");
  await must("the build", path.join(root, ".scripts", "build.mjs"), ["--minify"]);
  const scratch = mkdtempSync(path.join(os.tmpdir(), "triage-demo-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const demo = path.join(scratch, "demo");
  cpSync(path.join(root, "test", "workspaces", "demo"), demo, { recursive: true });

  const code = triage(demo);
  if (!RAN.has(code)) throw new SetupError(`the triage failed (exit code ${code})`);
  if (flags["no-editor"]) return;
  // What the terminal has decided would be decided already in the editor: it starts from the findings again.
  rmSync(path.join(demo, ".skeptical-triage"), { recursive: true, force: true });
  await openEditor(demo, scratch);
}

function triage(demo) {
  const reviews = readdirSync(path.join(demo, "reviews")).sort();
  const files = reviews.map((name) => `reviews/${name}`);
  say(`skeptical-triage triage ${files.join(" ")} --workspace .   (in a copy of test/workspaces/demo)\n`);
  const args = [path.join(root, "dist", "cli.cjs"), "triage", ...files, "--workspace", "."];
  const { status } = spawnSync(process.execPath, args, { cwd: demo, stdio: "inherit" });
  console.log("");
  return status ?? 2;
}

async function openEditor(demo, scratch) {
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const vsix = path.join(scratch, "skeptical-triage.vsix");
  say("packaging the extension");
  await makeVsix(vsix);
  const file = path.join(demo, "src", "checkout.ts");
  const desktop = findDesktop(manifest.engines.vscode);
  if ("command" in desktop) {
    say(`opening the demo in VS Code ${desktop.version}, with a profile of its own; close the window to end`);
    say(`the workspace is a copy: ${demo}`);
    const settings = { "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off" };
    await openInDesktop(desktop, { vsix, folder: demo, file, profile: path.join(scratch, "profile"), settings });
    return;
  }
  say(`${desktop.reason}: starting the web workbench instead`);
  await openInBrowser({ vsix, demo, file });
}

async function openInBrowser({ vsix, demo, file }) {
  ensureSystemPackages(["python3", "make", "g++"]);
  if (!ensureHost(process.execPath, process.env)) throw new SetupError("the web workbench could not be installed");
  const { installVsix, locateHost, makeProfile, startServer } = await import(
    new URL("../test/host/host.mjs", import.meta.url).href
  );
  const host = locateHost(hostFolder);
  const profile = makeProfile();
  await installVsix(host, profile, vsix);
  // Other users of this machine reach the loopback address too: the token keeps them out.
  const server = await startServer(host, profile, { token: randomUUID(), skipBuiltins: [], exitOnSignal: false });
  const opened = [
    ["openFile", server.uri(`${file}:1:1`)],
    ["gotoLineMode", "true"],
  ];
  console.log(`\nOpen this address in a browser on this machine:\n\n  ${server.url(demo, opened)}\n`);
  console.log(`The workspace is a copy: ${demo}`);
  console.log("Right-click a line with a finding and choose Triage Finding. Ctrl+C ends the workbench.");
  await new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, resolve);
  });
  console.log("");
  say("ending the workbench");
  await server.stop();
  profile.dispose();
}

await runScript(import.meta.url, main);

// A desktop VS Code on this machine, and opening a folder in it with nothing of the user's own.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const onWindows = process.platform === "win32";

/**
 * Looks at VSCODE_PATH (the program or its command), then at `code` on the PATH.
 * @param {string} range engine of the manifest, as `^1.127.0`
 * @returns {{command: string, version: string} | {reason: string}} the command-line program, or why there is none
 */
export function findDesktop(range) {
  // Inside a remote window `code` opens things in the window it belongs to, without a profile of its own.
  if (process.env.VSCODE_IPC_HOOK_CLI && !process.env.VSCODE_PATH) {
    return { reason: "this terminal belongs to a remote VS Code window" };
  }
  const command = process.env.VSCODE_PATH ? commandOf(process.env.VSCODE_PATH) : "code";
  const asked = call(command, ["--version"]);
  const version = /^\d+\.\d+\.\d+/.exec(asked.stdout ?? "")?.[0];
  if (asked.status !== 0 || version === undefined) return { reason: "no desktop VS Code found" };
  const least = range.replace(/^\D+/, "");
  if (isOlder(version, least)) return { reason: `the VS Code here is ${version}, older than ${least}` };
  return { command, version };
}

/**
 * Opens `folder` with only this extension, in a profile below `profile`.
 * @returns {Promise<number>} exit code, when the window is closed
 */
export async function openInDesktop({ command }, { vsix, folder, file, profile, settings }) {
  const user = path.join(profile, "user");
  mkdirSync(path.join(user, "User"), { recursive: true });
  writeFileSync(path.join(user, "User", "settings.json"), JSON.stringify(settings, null, 2));
  const own = ["--user-data-dir", user, "--extensions-dir", path.join(profile, "extensions")];
  const installed = call(command, [...own, "--install-extension", vsix, "--force"]);
  if (installed.status !== 0) throw new Error(`the extension could not be installed:\n${installed.stderr}`);
  // Chromium refuses its sandbox to root.
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const args = [...own, ...asRoot, "--disable-workspace-trust", "--new-window", "--wait", folder, "--goto", file];
  return new Promise((resolve, reject) => {
    const child = onWindows
      ? spawn(quoted(command, args), { stdio: "inherit", shell: true })
      : spawn(command, args, { stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** The command-line program beside the program itself; the path as given where it already is one. */
function commandOf(program) {
  const folder = path.dirname(program);
  const beside = [
    path.join(folder, "bin", onWindows ? "code.cmd" : "code"),
    path.join(folder, "..", "Resources", "app", "bin", "code"),
  ];
  return beside.find((file) => existsSync(file)) ?? program;
}

function call(command, args) {
  // On Windows it is a .cmd file, which only a shell starts.
  if (onWindows) return spawnSync(quoted(command, args), { encoding: "utf8", shell: true });
  return spawnSync(command, args, { encoding: "utf8" });
}

function quoted(command, args) {
  return [command, ...args].map((part) => `"${part}"`).join(" ");
}

function isOlder(version, least) {
  const [left, right] = [version, least].map((text) => text.split(".").map(Number));
  const at = left.findIndex((part, index) => part !== right[index]);
  return at !== -1 && left[at] < right[at];
}

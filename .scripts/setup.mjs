// What every script needs first: Node 24, the packages of the lock file, and on Debian the system packages.
// Dependency-free and plain enough for Node 20, because it runs before anything is installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds package.json. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** The folder of the test host's own packages. */
export const hostFolder = path.join(root, "test", "host");

const WANTED_NODE = "24.21.0";
const onWindows = process.platform === "win32";

/** A failure that a person can act on: shown as one message, without a stack. */
export class SetupError extends Error {}

/**
 * Everything before a build: Node 24 and the locked packages.
 * @returns {{node: string, env: NodeJS.ProcessEnv}} the Node to run scripts with, and an environment that finds it first
 * @throws {SetupError} when npm could not install one of them; the message holds npm's own words
 */
export function setUp() {
  const node = ensureNode();
  const env = withNode(node);
  ensurePackages(env);
  return { node, env };
}

/**
 * Runs the calling script again on Node 24 when this Node is older, and ends this process with its exit code.
 * Returns at once on Node 24. Either way the locked packages are installed afterwards.
 * @param {string} script file URL of the caller
 */
async function onNode24(script) {
  const { node, env } = setUp();
  if (node === process.execPath) return;
  const args = [fileURLToPath(script), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: "inherit", env, cwd: root });
  // The child cleans up and ends first. A terminal has sent it Ctrl+C already; any other sender knows only this process.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, "exit");
  process.exit(code ?? 1);
}

/**
 * The whole life of a script: Node 24, the packages, `main`, and one message when it fails.
 * @param {string} script file URL of the caller
 */
export async function runScript(script, main) {
  try {
    await onNode24(script);
    await main();
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error.stack);
    process.exitCode = 1;
  }
}

/** A copy of this environment in which `node` and `npm` run on the given Node. */
export function withNode(node) {
  const env = { ...process.env };
  // Windows spells it "Path", and an object with both spellings would keep the old one.
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  env[name] = [path.dirname(node), path.join(root, "node_modules", ".bin"), env[name]].join(path.delimiter);
  return env;
}

/** Node >= 24: the running one, else the one in `.tools`, installed there when it is missing. */
export function ensureNode() {
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  const folder = path.join(root, ".tools");
  const node = path.join(folder, "node_modules", "node", "bin", onWindows ? "node.exe" : "node");
  if (runs(node, ["--version"], `v${WANTED_NODE}`)) return node;
  say(`installing Node ${WANTED_NODE} into .tools (this Node is ${process.versions.node})`);
  // npm would look for a package.json upwards and install into the project itself without --prefix.
  npm(["install", "--no-save", "--no-package-lock", "--prefix", folder, `node@${WANTED_NODE}`], root, process.env);
  if (runs(node, ["--version"], `v${WANTED_NODE}`)) return node;
  throw new SetupError(
    `Node ${WANTED_NODE} was installed into .tools but does not start. Install Node 24 yourself and run this again.`,
  );
}

/** `npm ci`, when node_modules is missing or does not come from this lock file. A link is another checkout's folder, and left alone. */
export function ensurePackages(env) {
  const lock = readFileSync(path.join(root, "package-lock.json"));
  const key = createHash("sha256").update(lock).digest("hex");
  const stamp = path.join(root, "node_modules", ".installed-from-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === key) return;
  if (lstatSync(path.dirname(stamp), { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new SetupError(
      "node_modules is a link to the packages of another lock file; remove the link, and they are installed here",
    );
  say("installing packages (npm ci)");
  npm(["ci"], root, env);
  writeFileSync(stamp, key);
}

/** System packages of the tests, by what shows that one is there. */
const SYSTEM_PACKAGES = [
  { name: "chromium-headless-shell", there: () => findBrowser() !== null },
  {
    name: "fonts-dejavu-core",
    there: () => spawnSync("fc-list", [":family=DejaVu Sans"], { encoding: "utf8" }).stdout !== "",
  },
  { name: "git", there: () => runs("git", ["--version"]) },
  // The test host compiles two small native modules.
  { name: "python3", there: () => runs("python3", ["--version"]) },
  { name: "make", there: () => runs("make", ["--version"]) },
  { name: "g++", there: () => runs("g++", ["--version"]) },
  { name: "mypy", there: () => runs("mypy", ["--version"]) },
  { name: "shellcheck", there: () => runs("shellcheck", ["--version"]) },
  { name: "golang-go", there: () => runs("go", ["version"]) },
];

/** Checkers that the unit tests run for real; where one is missing its tests are skipped and say so. */
export const CHECKER_PACKAGES = ["mypy", "shellcheck", "golang-go"];

/**
 * Installs what is missing of the Debian packages when this user may; says the exact command when not.
 * Only the browser stops tests when it is missing, so the caller asks `findBrowser` afterwards.
 */
export function ensureSystemPackages(names = SYSTEM_PACKAGES.map((entry) => entry.name)) {
  const wanted = SYSTEM_PACKAGES.filter((entry) => names.includes(entry.name));
  const missing = wanted.filter((entry) => !entry.there()).map((entry) => entry.name);
  if (missing.length === 0) return;
  const debian = process.platform === "linux" && runs("apt-get", ["--version"]);
  const command = `apt-get install -y --no-install-recommends ${missing.join(" ")}`;
  if (!debian) {
    say(`not found: ${missing.join(", ")} (Debian's names). Install them, or set CHROMIUM to a Chromium or Chrome`);
  } else if (process.getuid() !== 0) {
    say(`not found: ${missing.join(", ")}. As root:\n    ${command}`);
  } else {
    say(command);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit", env });
    const done = spawnSync("apt-get", ["-qq", ...command.split(" ").slice(1)], {
      stdio: ["ignore", "ignore", "inherit"],
      env,
    });
    if (done.status !== 0) say(`that failed. Install the packages by hand:\n    ${command}`);
  }
}

/** The Chromium that tests may drive, or null. */
export function findBrowser() {
  const places = [
    process.env.CHROMIUM,
    process.env.CHROME_PATH,
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  ];
  return places.find((place) => place && existsSync(place)) ?? null;
}

/**
 * Installs the packages of the test host on demand.
 * @returns {boolean} false when that failed; what npm said is on the terminal
 */
export function ensureHost(node, env) {
  return (
    spawnSync(node, [path.join(hostFolder, "ensure-host.mjs"), hostFolder], { stdio: "inherit", env }).status === 0
  );
}

/** The folder of the real inference engine's own packages. */
export const engineFolder = path.join(root, "test", "engine");

/**
 * Installs the engine on demand: the one build for this processor, 83 MB, no install script, nothing downloaded but packages.
 * @returns {string | null} why it cannot be installed here; null where it is there
 */
export function ensureEngine(env) {
  if (process.platform !== "linux" || process.arch !== "x64") return "the engine is locked for Linux on x64 only";
  const lock = readFileSync(path.join(engineFolder, "package-lock.json"));
  const key = createHash("sha256").update(lock).digest("hex");
  const stamp = path.join(engineFolder, "node_modules", ".installed-from-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === key) return null;
  say("installing the engine (npm ci in test/engine)");
  try {
    npm(["ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"], engineFolder, env);
  } catch (error) {
    return `the engine could not be installed: ${error.message}`;
  }
  writeFileSync(stamp, key);
  return null;
}

/** One line of what the script does, apart from the output of the programs it starts. */
export function say(text) {
  process.stdout.write(`> ${text}\n`);
}

/**
 * Starts a program in its own process group, passes its output on, and ends the whole group after `limitMs`.
 * @returns {Promise<{code: number, timedOut: boolean, output: string}>} `output` only where `quiet` held it back
 */
export function run(program, args, { env, quiet = false, limitMs = 900_000, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
      // A test that hangs may have children of its own; they must end with it.
      detached: !onWindows,
    });
    let output = "";
    child.stdout?.on("data", (part) => (output += part));
    child.stderr?.on("data", (part) => (output += part));
    let timedOut = false;
    const end = () => {
      try {
        if (onWindows) child.kill();
        else process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself in the meantime.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, limitMs);
    process.once("exit", end);
    const finish = (code) => {
      clearTimeout(timer);
      process.off("exit", end);
      resolve({ code, timedOut, output });
    };
    child.once("error", (error) => {
      output += error.message;
      finish(127);
    });
    child.once("close", (code) => finish(code ?? 1));
  });
}

function npm(args, cwd, env) {
  const options = { cwd, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 };
  // On Windows npm is a .cmd file, which only a shell starts, and a shell wants its arguments quoted.
  const done = onWindows
    ? spawnSync(["npm", ...args.map((arg) => `"${arg}"`)].join(" "), { ...options, shell: true })
    : spawnSync("npm", args, options);
  if (done.status === 0) return;
  const words = `${done.stdout ?? ""}${done.stderr ?? ""}${done.error?.message ?? ""}`.trim();
  throw new SetupError(`npm ${args.join(" ")} failed:\n${words.slice(-3000)}`);
}

function runs(program, args, firstLine) {
  const done = spawnSync(program, args, { encoding: "utf8" });
  return done.status === 0 && (firstLine === undefined || done.stdout.trim() === firstLine);
}

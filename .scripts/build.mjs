// Bundles the four entries into dist/, and what they load only when they need it.
//   node .scripts/build.mjs [--minify] [--watch] [--tests] [--bench]
// --minify  as it is shipped   --tests  also the in-editor suite, into out/test   --bench  also the measuring suite
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { runScript, root, SetupError } from "./setup.mjs";

const { values: flags } = parseArgs({
  options: {
    minify: { type: "boolean", default: false },
    watch: { type: "boolean", default: false },
    tests: { type: "boolean", default: false },
    bench: { type: "boolean", default: false },
  },
});
const dist = path.join(root, "dist");

const common = {
  absWorkingDir: root,
  bundle: true,
  // The package carries no maps, so its bundles must not point at any.
  sourcemap: flags.minify ? "external" : true,
  minify: flags.minify,
  // Text stays text: escapes make the tables of languages and entities a third larger. Licences stand in the notices.
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
};

/** Node side: CommonJS, with `import.meta.url` kept alive for packages that ask where they are. */
const nodeSide = {
  ...common,
  outExtension: { ".js": ".cjs" },
  platform: "node",
  format: "cjs",
  target: "node24",
  // supports-color is optional where it is asked for; no colour is ever wanted here.
  external: ["vscode", "supports-color"],
  define: { "import.meta.url": "__importMetaUrl" },
  banner: { js: 'const __importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
};

/** Loaded when first needed, each a bundle of its own, so that no start waits for them: by module, relative to src/. */
const LAZY = { "node/syntax/reader.ts": "syntax", "node/models/attempt.ts": "chat" };

/** Points the dynamic imports of those modules to their bundles, which lie beside the one that imports. */
const lazyBundles = {
  name: "lazy-bundles",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\..*\.ts$/ }, ({ path: from, kind, resolveDir }) => {
      const module = path.relative(path.join(root, "src"), path.resolve(resolveDir, from)).replaceAll("\\", "/");
      const bundle = kind === "dynamic-import" ? LAZY[module] : undefined;
      return bundle === undefined ? null : { path: `./${bundle}.cjs`, external: true };
    }),
};

/** What is bundled, by the name under which its contents are listed in out/meta. */
const bundles = {
  node: {
    ...nodeSide,
    entryPoints: { extension: "src/extension.ts", worker: "src/worker.ts", cli: "src/cli.ts" },
    outdir: "dist",
    plugins: [lazyBundles],
  },
  lazy: {
    ...nodeSide,
    entryPoints: Object.fromEntries(Object.entries(LAZY).map(([module, name]) => [name, `src/${module}`])),
    outdir: "dist",
  },
  page: {
    ...common,
    entryPoints: { webview: "src/webview.ts" },
    outdir: "dist",
    platform: "browser",
    format: "iife",
    target: "es2024",
  },
  ...(flags.tests && { tests: suite("test/suite/suite-index.ts", "out/test") }),
  ...(flags.bench && { bench: suite("test/bench/suite-index.ts", "out/bench") }),
};

/** The parser's runtime and the grammars of src/node/syntax/grammars. */
const GRAMMARS = [
  "web-tree-sitter/web-tree-sitter.wasm",
  "tree-sitter-c/tree-sitter-c.wasm",
  ...["c-sharp", "cpp", "go", "java", "javascript", "php", "python", "ruby", "rust", "tsx", "typescript"].map(
    (name) => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`,
  ),
];

function suite(entry, outdir) {
  const external = ["vscode", "mocha"];
  return { ...nodeSide, entryPoints: { index: entry }, outdir, external, minify: false, sourcemap: "inline" };
}

async function main() {
  const missing = Object.values(bundles)
    .flatMap((bundle) => Object.values(bundle.entryPoints))
    .filter((entry) => !existsSync(path.join(root, entry)));
  if (missing.length > 0) throw new SetupError(`cannot build: ${missing.join(", ")} not found`);

  // Not a static import: on a fresh clone esbuild is installed only by now.
  const { build, context } = await import("esbuild");
  mkdirSync(dist, { recursive: true });
  mkdirSync(path.join(root, "out", "meta"), { recursive: true });
  for (const name of ["codicon.css", "codicon.ttf"]) {
    cpSync(path.join(root, "node_modules/@vscode/codicons/dist", name), path.join(dist, name));
  }
  for (const file of GRAMMARS) {
    cpSync(path.join(root, "node_modules", file), path.join(dist, "grammars", path.basename(file)));
  }
  if (flags.watch) {
    for (const bundle of Object.values(bundles)) await (await context({ ...bundle, logLevel: "info" })).watch();
    return;
  }
  const builds = Object.entries(bundles).map(async ([name, bundle]) => {
    const { metafile } = await build(bundle);
    // What the notices and the size budgets are read from.
    writeFileSync(path.join(root, "out", "meta", `${name}.json`), JSON.stringify(metafile));
  });
  const settled = await Promise.allSettled(builds);
  // esbuild has printed what is wrong, with the place.
  if (settled.some(({ status }) => status === "rejected")) throw new SetupError("the build failed");
  chmodSync(path.join(dist, "cli.cjs"), 0o755);
}

await runScript(import.meta.url, main);

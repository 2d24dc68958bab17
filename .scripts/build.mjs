// Bundles the four entries. Options: --minify (the package), --watch.
import { build, context } from "esbuild";
import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({ options: { minify: { type: "boolean" }, watch: { type: "boolean" } } });
const src = (name) => path.join(root, "src", `${name}.ts`);
const common = { bundle: true, sourcemap: true, minify: values.minify ?? false, logLevel: "warning", metafile: true };

/** Node side: CommonJS, with `import.meta.url` kept alive for packages that ask where they are. */
const nodeSide = {
  ...common,
  entryPoints: [src("extension"), src("worker"), src("cli")],
  outdir: path.join(root, "dist"),
  outExtension: { ".js": ".cjs" },
  entryNames: "[name]",
  platform: "node",
  format: "cjs",
  target: "node24",
  external: ["vscode"],
  define: { "import.meta.url": "__importMetaUrl" },
  banner: { js: 'const __importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
};
const page = {
  ...common,
  entryPoints: [src("webview")],
  outdir: path.join(root, "dist"),
  platform: "browser",
  format: "iife",
  target: "es2024",
};

mkdirSync(path.join(root, "dist"), { recursive: true });
for (const name of ["codicon.css", "codicon.ttf"]) {
  cpSync(path.join(root, "node_modules/@vscode/codicons/dist", name), path.join(root, "dist", name));
}
for (const options of [nodeSide, page]) {
  if (values.watch) await (await context(options)).watch();
  else await build(options);
}

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import * as z from "zod";
import { GROUPINGS } from "../../src/protocol/query.ts";
import {
  CHALLENGE_MENU,
  COMMANDS,
  CONTEXT_KEYS,
  FILTER_VIEW,
  FINDINGS_VIEW,
  GROUP_BY_MENU,
  INTERNAL_COMMANDS,
  KEYBINDINGS,
  MACHINE_SETTINGS,
  PANEL_TYPE,
  SECTION,
  SETTINGS,
  VIEW_CONTAINER,
} from "../../src/vscode/contributions.ts";
import { SETTING_SHAPES } from "../../src/vscode/settingShapes.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

const MenuItem = z.object({
  command: z.string().optional(),
  submenu: z.string().optional(),
  when: z.string().optional(),
  group: z.string().optional(),
});
const Manifest = z.object({
  main: z.string(),
  icon: z.string(),
  activationEvents: z.array(z.string()),
  extensionKind: z.array(z.string()),
  capabilities: z.object({
    untrustedWorkspaces: z.object({
      supported: z.string(),
      description: z.string(),
      restrictedConfigurations: z.array(z.string()),
    }),
    virtualWorkspaces: z.object({ supported: z.boolean(), description: z.string() }),
  }),
  contributes: z.object({
    commands: z.array(
      z.object({
        command: z.string(),
        title: z.string(),
        category: z.string(),
        icon: z.string(),
        enablement: z.string().optional(),
      }),
    ),
    configuration: z.object({
      properties: z.record(z.string(), z.looseObject({ scope: z.string(), default: z.unknown() })),
    }),
    viewsContainers: z.object({ activitybar: z.array(z.object({ id: z.string(), icon: z.string() })) }),
    keybindings: z.array(z.object({ command: z.string(), key: z.string(), mac: z.string(), when: z.string() })),
    submenus: z.array(z.object({ id: z.string(), label: z.string(), icon: z.string() })),
    views: z.record(
      z.string(),
      z.array(z.object({ id: z.string(), icon: z.string(), type: z.string().optional(), when: z.string().optional() })),
    ),
    viewsWelcome: z.array(z.object({ view: z.string(), when: z.string(), contents: z.string() })),
    menus: z.record(z.string(), z.array(MenuItem)),
  }),
});

const text = readFileSync(path.join(ROOT, "package.json"), "utf8");
const manifest = Manifest.parse(JSON.parse(text));
const { commands, configuration, keybindings, menus, submenus, views, viewsContainers, viewsWelcome } =
  manifest.contributes;
const properties = configuration.properties;

/** All conditions of the manifest. */
const conditions = [
  ...Object.values(menus).flatMap((items) => items.flatMap(({ when }) => when ?? [])),
  ...commands.flatMap(({ enablement }) => enablement ?? []),
  ...viewsWelcome.map(({ when }) => when),
  ...keybindings.map(({ when }) => when),
  ...Object.values(views).flatMap((list) => list.flatMap(({ when }) => when ?? [])),
];

test("the manifest declares the commands of the code, and no other", () => {
  assert.deepEqual(sorted(commands.map(({ command }) => command)), sorted(COMMANDS));
});

test("every command has the product's category, an icon, and a title that needs no category to be understood", () => {
  for (const { command, title, category, icon } of commands) {
    assert.equal(category, "Skeptical Triage", command);
    assert.match(icon, /^\$\([a-z-]+\)$/, command);
    assert.doesNotMatch(title, /skeptical/i, command);
  }
});

test("every icon of a command is one that the editor has", () => {
  const css = readFileSync(path.join(ROOT, "node_modules/@vscode/codicons/dist/codicon.css"), "utf8");
  const unknown = commands.filter(({ icon }) => !css.includes(`.codicon-${icon.slice(2, -1)}:before`));
  assert.deepEqual(unknown, []);
});

test("menus and welcome pages name only commands that exist", () => {
  const known = new Set<string>(COMMANDS);
  const inMenus = Object.values(menus).flatMap((items) => items.flatMap(({ command }) => command ?? []));
  const inPages = viewsWelcome.flatMap(({ contents }) =>
    Array.from(contents.matchAll(/command:(skepticalTriage\.\w+)/g), ([, id]) => id ?? ""),
  );
  assert.deepEqual(
    [...inMenus, ...inPages].filter((id) => !known.has(id)),
    [],
  );
});

test("internal commands stand nowhere in the manifest", () => {
  assert.deepEqual(
    INTERNAL_COMMANDS.filter((id) => text.includes(id)),
    [],
  );
});

test("a command that cannot work without an argument is hidden from the palette", () => {
  const hidden = menus["commandPalette"]?.filter(({ when }) => when === "false").map(({ command }) => command);
  assert.deepEqual(hidden, ["skepticalTriage.cancelTriage", "skepticalTriage.triageGroup"]);
});

test("conditions read exactly the context keys that the code sets", () => {
  const read = conditions
    .flatMap((when) => when.match(/skepticalTriage\.\w+/g) ?? [])
    .filter((id) => id !== FINDINGS_VIEW && id !== FILTER_VIEW);
  assert.deepEqual(sorted(new Set(read)), sorted(Object.values(CONTEXT_KEYS)));
});

test("the editor's menu asks for the file, not for the line: the line's key would lag one click behind", () => {
  assert.deepEqual(
    menus["editor/context"]?.map(({ command, submenu, when }) => [command ?? submenu, when]),
    ["skepticalTriage.triageFinding", CHALLENGE_MENU].map((id) => [id, `resourcePath in ${CONTEXT_KEYS.files}`]),
  );
});

test("every way to challenge a finding stands in the menu of its row and of its line", () => {
  assert.deepEqual(
    menus[CHALLENGE_MENU]?.map(({ command }) => command),
    COMMANDS.filter((id) => id.startsWith("skepticalTriage.challengeWith")),
  );
  const rows = menus["view/item/context"]?.filter(({ submenu }) => submenu === CHALLENGE_MENU).map(({ when }) => when);
  const triage = menus["view/item/context"]?.find(
    ({ command, group }) => command === "skepticalTriage.triageFinding" && group !== "inline@1",
  );
  assert.deepEqual(rows, [triage?.when]);
});

test("the manifest declares the settings of the code, and no other", () => {
  assert.deepEqual(sorted(Object.keys(properties)), sorted(Object.keys(SETTINGS).map((name) => `${SECTION}.${name}`)));
});

for (const [name, shape] of Object.entries(SETTING_SHAPES)) {
  test(`setting ${name} has a default that its own parser takes, and a description`, () => {
    const property = properties[`${SECTION}.${name}`];
    assert.ok(property);
    assert.deepEqual(shape.safeParse(property.default).error, undefined);
    assert.match(String(property["description"] ?? property["markdownDescription"]), /^[A-Z].+\.$/s);
  });
}

test("every value of a setting with choices is described", () => {
  for (const [name, property] of Object.entries(properties)) {
    if (!Array.isArray(property["enum"])) continue;
    assert.ok(Array.isArray(property["enumDescriptions"]), name);
    assert.equal(property["enumDescriptions"].length, property["enum"].length, name);
  }
});

test("the manifest's bounds of a number are those of its parser", () => {
  for (const [name, shape] of Object.entries(SETTING_SHAPES)) {
    const property = properties[`${SECTION}.${name}`];
    if (property?.["type"] !== "integer") continue;
    const [minimum, maximum] = [Number(property["minimum"]), Number(property["maximum"])];
    const taken = [minimum - 1, minimum, maximum, maximum + 1].map((value) => shape.safeParse(value).success);
    assert.deepEqual(taken, [false, true, true, false], name);
  }
});

test("settings that choose servers or models are out of a repository's reach (ruling 31)", () => {
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  for (const name of MACHINE_SETTINGS) {
    assert.equal(properties[`${SECTION}.${name}`]?.scope, "machine", name);
    assert.ok(restrictedConfigurations.includes(`${SECTION}.${name}`), name);
  }
});

test("what an untrusted workspace may not set exists, and holds what changes authority or starts work", () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  assert.deepEqual(
    restrictedConfigurations.filter((name) => !(name in properties)),
    [],
  );
  for (const name of ["severityMap", "autoTriage", "runCheckers"])
    assert.ok(restrictedConfigurations.includes(`${SECTION}.${name}`), name);
});

test("triage does not start by itself unless a person asked for that (ruling 9)", () => {
  assert.equal(properties[`${SECTION}.autoTriage`]?.default, false);
});

test("the view stands in its container, and welcome pages belong to it", () => {
  assert.deepEqual(
    viewsContainers.activitybar.map(({ id }) => id),
    [VIEW_CONTAINER],
  );
  assert.deepEqual(
    Object.entries(views).map(([container, list]) => [container, list.map(({ id }) => id)]),
    [[VIEW_CONTAINER, [FILTER_VIEW, FINDINGS_VIEW]]],
  );
  assert.deepEqual(
    Object.values(views).flatMap((list) => list.flatMap(({ id, type }) => (type === "webview" ? [id] : []))),
    [FILTER_VIEW],
  );
  assert.deepEqual([...new Set(viewsWelcome.map(({ view }) => view))], [FINDINGS_VIEW]);
});

test("the manifest binds the keys of the code, and only in windows that hold findings", () => {
  assert.deepEqual(
    keybindings,
    KEYBINDINGS.map((binding) => ({ ...binding, when: CONTEXT_KEYS.hasFindings })),
  );
});

test("every grouping has its command in the menu of the view's title, where it is not the present one", () => {
  assert.deepEqual(
    submenus.map(({ id }) => id),
    [GROUP_BY_MENU, CHALLENGE_MENU],
  );
  assert.ok(menus["view/title"]?.some(({ submenu }) => submenu === GROUP_BY_MENU));
  assert.deepEqual(
    menus[GROUP_BY_MENU]?.map(({ command, when }) => [command?.toLowerCase(), when]),
    GROUPINGS.map((by) => [`skepticaltriage.groupby${by}`, `${CONTEXT_KEYS.groupBy} != ${by}`]),
  );
});

test("each reason for an empty view has its own words", () => {
  const told = viewsWelcome.flatMap(({ when }) => /empty == (\w+)/.exec(when)?.[1] ?? []);
  assert.deepEqual(sorted(told), ["closed", "filter", "none"]);
});

test("the extension is activated by the start of the window and by its panel, and by nothing it does not need", () => {
  assert.deepEqual(sorted(manifest.activationEvents), sorted(["onStartupFinished", `onWebviewPanel:${PANEL_TYPE}`]));
});

test("files that the manifest names exist", () => {
  const named = [
    manifest.icon,
    ...viewsContainers.activitybar.map(({ icon }) => icon),
    ...Object.values(views)
      .flat()
      .map(({ icon }) => icon),
  ];
  assert.deepEqual(
    named.filter((file) => !existsSync(path.join(ROOT, file))),
    [],
  );
});

test("it runs beside the files, also in a remote window, and says why not without a disk (ruling 41)", () => {
  assert.deepEqual(manifest.extensionKind, ["workspace"]);
  assert.equal(manifest.capabilities.virtualWorkspaces.supported, false);
});

function sorted(names: Iterable<string>): readonly string[] {
  return [...names].sort();
}

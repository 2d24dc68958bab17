import * as vscode from "vscode";
import type { State } from "../core/outcome.ts";
import type { FindingGroup, Grouping } from "../protocol/query.ts";
import type { CommandId, InternalCommandId } from "./contributions.ts";
import { STATE_WORDS } from "./filterWords.ts";
import type { GroupNode, Node } from "./findingsTree.ts";
import { countsInWords, inFigures, shownInWords } from "./findingsTree.ts";
import { baseName, folderName, labelOf, lookOf, placeOf, restOf, tooltipOf } from "./rowLook.ts";

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** How a row of the Findings view is drawn. */
export function treeItem(node: Node): vscode.TreeItem {
  const item = drawn(node);
  item.id = node.id;
  return item;
}

function drawn(node: Node): vscode.TreeItem {
  if (node.kind === "finding") return findingItem(node);
  if (node.kind === "group") return groupItem(node);
  if (node.kind === "unread") return unreadItem(node);
  if (node.kind === "unreadGroup") {
    const item = draw(
      "Not understood",
      Collapsed,
      "unreadGroup",
      shownInWords({ shown: node.lines.length, total: node.total }),
      "question",
    );
    item.tooltip = "These lines look like findings, but could not be read as such. They are counted nowhere.";
    return item;
  }
  const item = draw(`Load more (${inFigures(node.left)} left)`, None, "more", "", "ellipsis");
  item.command = command("_skepticalTriage.loadMore", "Load More Findings", node.group);
  return item;
}

function groupItem({ group, grouping, open }: GroupNode): vscode.TreeItem {
  const look = groupLook(grouping, group);
  const total = inFigures(group.total);
  const counts = grouping === "severity" ? total : countsInWords(group.bySeverity);
  const waiting = group.waiting === 0 ? "" : `${inFigures(group.waiting)} waiting for you`;
  const parts = [counts, waiting, look.after].filter((part) => part !== "");
  const item = draw(look.label, open ? Expanded : Collapsed, `group.${grouping}`, parts.join(" · "), look.icon);
  item.tooltip = [look.tooltip, counts, waiting].filter((part) => part !== "").join("\n");
  return item;
}

interface GroupLook {
  readonly label: string;
  /** Null: none, so that the name alone is seen. */
  readonly icon: string | null;
  readonly tooltip: string;
  /** What stands last, and is cut off first. */
  readonly after: string;
}

const GROUP_ICONS = {
  file: "file-code",
  rule: "symbol-ruler",
  severity: null,
  tool: "tools",
  state: null,
} as const satisfies Record<Grouping, string | null>;

function groupLook(grouping: Grouping, { id, label }: FindingGroup): GroupLook {
  const icon = GROUP_ICONS[grouping];
  if (grouping === "state") return { label: stateWords(id), icon, tooltip: stateWords(id), after: "" };
  if (id === "" && grouping === "file")
    return { label: "No file", icon, tooltip: "Findings that name no file of this workspace", after: "" };
  if (id === "") return { label: `No ${grouping}`, icon, tooltip: `Findings that name no ${grouping}`, after: "" };
  if (grouping !== "file") return { label, icon, tooltip: label, after: "" };
  return { label: baseName(label), icon, tooltip: label, after: folderName(label) };
}

function stateWords(id: string): string {
  return isState(id) ? STATE_WORDS[id] : id;
}

function isState(id: string): id is State {
  return id in STATE_WORDS;
}

function unreadItem({ unread }: Extract<Node, { kind: "unread" }>): vscode.TreeItem {
  const place = `${baseName(unread.path.replaceAll("\\", "/"))}${unread.line === null ? "" : `:${unread.line}`}`;
  const item = draw(oneLine(unread.text), None, "unread", place, "dash");
  item.tooltip = `${unread.reason}\n\n${unread.text}`;
  item.command = command("_skepticalTriage.openUnread", "Open Review File", unread);
  return item;
}

function draw(
  label: string,
  state: vscode.TreeItemCollapsibleState,
  contextValue: string,
  description: string,
  icon: string | null,
): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.contextValue = contextValue;
  item.description = description;
  if (icon !== null) item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}

function findingItem({ row, grouping }: Extract<Node, { kind: "finding" }>): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(labelOf(row, grouping)), None);
  const { icon, color } = lookOf(row);
  item.iconPath = new vscode.ThemeIcon(icon, color === null ? undefined : new vscode.ThemeColor(color));
  item.description = restOf(row, grouping);
  item.tooltip = tooltipOf(row);
  item.contextValue = `finding.${row.state}`;
  item.command = command("_skepticalTriage.openRow", "Open Finding", {
    key: row.key,
    absolute: row.absolute,
    line: row.line,
  });
  item.accessibilityInformation = { label: `${row.title}, ${placeOf(row)}, ${row.summary}` };
  return item;
}

function command(id: CommandId | InternalCommandId, title: string, ...args: readonly unknown[]): vscode.Command {
  return { command: id, title, arguments: [...args] };
}

/** Labels are one line; the view itself shortens what does not fit. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim().slice(0, 300);
}

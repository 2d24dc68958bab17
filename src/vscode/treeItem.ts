import * as vscode from "vscode";
import type { CommandId, InternalCommandId } from "./contributions.ts";
import type { Node } from "./findingsTree.ts";
import { countsInWords } from "./findingsTree.ts";
import { baseName, folderName, lookOf, placeOf, tooltipOf } from "./rowLook.ts";

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** How a row of the Findings view is drawn. */
export function treeItem(node: Node): vscode.TreeItem {
  const item = node.kind === "finding" ? findingItem(node) : otherItem(node);
  item.id = node.id;
  return item;
}

function otherItem(node: Exclude<Node, { kind: "finding" }>): vscode.TreeItem {
  if (node.kind === "file") return fileItem(node);
  if (node.kind === "unread") return unreadItem(node);
  if (node.kind === "severity") return draw(node.severity, Expanded, "severity", `${node.rows.length}`, null);
  if (node.kind === "unreadGroup") {
    const item = draw("Not understood", Collapsed, "unreadGroup", `${node.lines.length}`, "question");
    item.tooltip = "These lines look like findings, but could not be read as such. They are counted nowhere.";
    return item;
  }
  const item = draw("Load more", None, "more", `${node.shown} of ${node.total} shown`, "ellipsis");
  item.command = command("_skepticalTriage.loadMore", "Load More Findings");
  return item;
}

function fileItem({ file, rows }: Extract<Node, { kind: "file" }>): vscode.TreeItem {
  const counts = countsInWords(rows);
  if (file === null) {
    const item = draw("No file", Expanded, "noFile", counts, "circle-outline");
    item.tooltip = `Findings that name no file of this workspace\n${counts}`;
    return item;
  }
  const folder = folderName(file);
  const item = draw(baseName(file), Expanded, "file", folder === "" ? counts : `${folder} · ${counts}`, "file-code");
  item.tooltip = `${file}\n${counts}`;
  return item;
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
  const title = shortened(oneLine(row.title));
  // In a narrow view the rest is cut off: how severe it is must be seen all the same.
  const item = new vscode.TreeItem(grouping === "file" ? `${row.severity} · ${title}` : title, None);
  const { icon, color } = lookOf(row);
  item.iconPath = new vscode.ThemeIcon(icon, color === null ? undefined : new vscode.ThemeColor(color));
  const place = grouping === "file" ? (row.line === null ? "" : `:${row.line}`) : placeOf(row);
  const state = row.summary.replace(`${row.severity} · `, "");
  item.description = [place, state].filter((part) => part !== "").join(" · ");
  item.tooltip = tooltipOf(row);
  item.contextValue = `finding.${row.state}`;
  item.command = command("skepticalTriage.openPanel", "Open Finding", row.key);
  item.accessibilityInformation = { label: `${row.title}, ${placeOf(row)}, ${row.summary}` };
  return item;
}

function command(id: CommandId | InternalCommandId, title: string, ...args: readonly unknown[]): vscode.Command {
  return { command: id, title, arguments: [...args] };
}

/** Leaves room for the state behind the label; the hover has the whole claim. */
const MOST_LABEL = 60;

function shortened(text: string): string {
  if (text.length <= MOST_LABEL) return text;
  const cut = text.lastIndexOf(" ", MOST_LABEL);
  return `${text.slice(0, cut > MOST_LABEL / 2 ? cut : MOST_LABEL)}…`;
}

/** Labels are one line; the view itself shortens what does not fit. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim().slice(0, 300);
}

import { css } from "lit";

/** Refuters, the second opinion, what was left out, and the menu of challenges. */
export const judges = css`
  .panel-list {
    border: 1px solid var(--line);
    border-radius: var(--round);
    background: var(--card);
    margin-top: 8px;
  }
  .panel-row {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 10px;
    padding: 10px 14px 12px;
    min-height: 5em;
  }
  .panel-row + .panel-row {
    border-top: 1px solid var(--line);
  }
  .row-mark {
    color: var(--tone);
    line-height: var(--row);
  }
  .row-mark .codicon {
    line-height: var(--row);
  }
  .panel-row h3 .muted {
    font-weight: 400;
  }
  .panel-row.abstained h3,
  .panel-row.abstained .badge {
    font-weight: 400;
    color: var(--muted);
  }
  .panel-row.busy .badge {
    font-weight: 400;
  }
  .attack {
    font-size: 1.05em;
    font-weight: 600;
    line-height: 1.45;
  }
  .recount {
    margin-top: 8px;
    font-variant-numeric: tabular-nums;
  }
  .untouched {
    margin-top: 10px;
  }
  .plain-list {
    display: grid;
    gap: 4px;
    padding-inline-start: 1.4em;
    list-style: disc;
  }
  .plain-list li {
    max-width: 90ch;
  }
  .opinion .card {
    min-height: 0;
  }
  .expect,
  .panel-list + .note {
    margin-top: 8px;
  }
  .opinion .card + .fold {
    margin-top: 8px;
  }
  .opinion .card > .remark {
    margin-top: 10px;
  }
  .opinion .badge {
    font-weight: 600;
  }
  .citation .badge {
    font-weight: 400;
  }
  .statement-evidence > .note + .citations {
    margin-top: 6px;
  }
  .mapping {
    font-size: 1.05em;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .ledger {
    display: grid;
    gap: 2px;
  }
  .ledger li {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
  }
  .ledger-figures {
    font-variant-numeric: tabular-nums;
  }
  .left-out h3 {
    margin-bottom: 2px;
  }
  .tally .pip-mark {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .tally .pip + .pip::before {
    content: none;
  }
  .tally .pips {
    grid-template-columns: repeat(3, 6rem);
  }
  .alone .pips {
    grid-template-columns: max-content;
  }

  .menu {
    position: fixed;
    inset: auto auto calc(var(--bar-height, 0px) + 6px) max(20px, calc((100% - 1080px) / 2));
    width: min(30rem, calc(100% - 24px));
    max-height: calc(100vh - var(--bar-height, 0px) - 24px);
    margin: 0;
    padding: 4px;
    overflow-y: auto;
    color: var(--vscode-menu-foreground, var(--text));
    background: var(--vscode-menu-background, var(--page));
    border: 1px solid var(--vscode-menu-border, var(--line));
    border-radius: var(--round);
    box-shadow: 0 2px 8px var(--vscode-widget-shadow, #0004);
  }
  /* Where the browser knows it, the menu stands at its button. */
  [data-action="challenge"] {
    anchor-name: --challenge;
  }
  .menu {
    position-anchor: --challenge;
    left: max(12px, min(anchor(left), calc(100% - 30rem - 12px)));
  }
  .menu-item {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 10px;
    width: 100%;
    padding: 6px 10px;
    font: inherit;
    text-align: start;
    color: inherit;
    background: none;
    border: 0;
    border-radius: 4px;
    cursor: pointer;
  }
  .menu-item .codicon {
    line-height: var(--row);
  }
  .menu-words {
    display: grid;
  }
  .menu-item:is(:hover, :focus-visible) {
    color: var(--vscode-menu-selectionForeground, var(--text));
    background: var(--vscode-menu-selectionBackground, var(--well));
  }
  .menu-item:is(:hover, :focus-visible) .muted {
    color: inherit;
  }
  #skeptical-triage .menu-item:focus-visible {
    outline-offset: -1px;
  }
  .menu-item[aria-disabled="true"] {
    cursor: default;
  }
  .menu-item[aria-disabled="true"] .menu-title {
    color: var(--vscode-disabledForeground, GrayText);
  }

  .objection-form {
    max-width: 60rem;
  }
  .objection-form :is(select, input) {
    font: inherit;
    max-width: 100%;
    min-height: 28px;
    padding: 3px 8px;
    color: var(--vscode-input-foreground, FieldText);
    background: var(--vscode-input-background, Field);
    border: 1px solid color-mix(in srgb, var(--text) 45%, transparent);
    border-radius: 4px;
  }
  .objection-form select {
    width: fit-content;
  }
  @media (max-width: 420px) {
    .menu {
      inset-inline-start: 12px;
    }
    .panel-row {
      grid-template-columns: minmax(0, 1fr);
      padding: 10px 12px;
    }
    .row-mark {
      display: none;
    }
  }
`;

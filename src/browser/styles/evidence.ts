import { css } from "lit";

/** Checks, citations and receipts. */
export const evidence = css`
  .checks {
    border: 1px solid var(--line);
    border-radius: var(--round);
    background: var(--card);
  }
  .check {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 10px;
    padding: 9px 12px;
  }
  .check + .check {
    border-top: 1px solid var(--line);
  }
  .check-head .muted::before {
    content: "· ";
  }
  .checks + .fold {
    margin-top: 6px;
  }
  .check-mark {
    color: var(--tone);
    line-height: var(--row);
  }
  .check-mark .codicon {
    line-height: var(--row);
  }
  .check-body {
    display: grid;
    gap: 3px;
  }
  .check-body > .citations {
    margin-top: 4px;
  }
  .check.tone-off strong {
    font-weight: 400;
  }

  .line-box {
    display: grid;
    gap: 6px;
    margin: 4px 0 2px;
    min-width: 0;
  }
  .line-ask {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
  }
  .line-ask .note {
    min-width: 0;
  }
  .reproduction {
    display: grid;
    gap: 6px;
  }
  .reproduction h2 {
    margin-bottom: 2px;
  }

  .citations {
    display: grid;
    gap: 10px;
    min-width: 0;
  }
  .citation {
    display: grid;
    gap: 3px;
    min-width: 0;
  }
  .citation-head {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 12px;
  }
  .citation-head > * {
    min-width: 0;
  }
  .citation .badge {
    color: var(--muted);
  }
  .citation.missing .code {
    border-style: dashed;
  }

  .stretches {
    display: grid;
    gap: 8px;
    min-width: 0;
  }
  .duties {
    display: grid;
    gap: 4px;
  }
  .fold.stretch > summary {
    width: auto;
  }
  .fold.stretch .fold-title {
    display: flex;
    flex-wrap: wrap;
    gap: 0 10px;
    min-width: 0;
  }
  .stretch-place {
    font-family: var(--mono);
    overflow-wrap: anywhere;
  }
  .fold.stretch .fold-body {
    display: grid;
    gap: 4px;
  }

  .receipts {
    display: grid;
    gap: 2px;
  }
  .fold.receipt > summary {
    width: auto;
  }
  .fold.receipt .fold-title {
    flex: 1;
  }
  .fold.receipt .fold-body {
    display: grid;
    gap: 8px;
    padding-bottom: 10px;
  }
  .receipt-head {
    display: grid;
    grid-template-columns: 5em minmax(0, 1fr) auto;
    gap: 2px 12px;
    align-items: baseline;
  }
  .receipt-figures {
    display: flex;
    gap: 10px;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .cut {
    border-bottom: 1px dotted var(--open);
  }
  .alike {
    display: grid;
    gap: 6px;
  }
  .alike-list {
    display: grid;
    gap: 6px;
  }
  @container page (max-width: 560px) {
    .receipt-head {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .receipt-argv {
      grid-column: 1 / -1;
      grid-row: 2;
    }
  }
`;

import { css } from "lit";

/** Header, claim and the code it points at. */
export const finding = css`
  .head {
    display: grid;
    gap: 4px;
    padding-bottom: 14px;
    border-bottom: 1px solid var(--line);
  }
  .head-line {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 4px 10px;
  }
  h1 {
    flex: 1 1 14rem;
    min-width: 0;
    font-size: 1.3em;
    font-weight: 600;
    line-height: 1.35;
    unicode-bidi: isolate;
  }
  h1 .rule {
    font-weight: 400;
    color: var(--muted);
    unicode-bidi: isolate;
  }
  .severity {
    flex: none;
    min-width: 2.4em;
    padding: 1px 7px;
    border: 1px solid var(--tone);
    border-radius: 4px;
    font-weight: 600;
    text-align: center;
    background: color-mix(in srgb, var(--tone) 14%, transparent);
  }
  .severity-P0,
  .severity-P1 {
    --tone: var(--real);
  }
  .severity-P0 {
    border-width: 2px;
    background: color-mix(in srgb, var(--tone) 26%, transparent);
  }
  .severity-P2 {
    --tone: var(--open);
  }
  .severity-Nit {
    --tone: var(--muted);
  }
  .vscode-high-contrast .severity,
  .vscode-high-contrast-light .severity {
    background: none;
  }
  .state {
    flex: none;
    max-width: 100%;
  }
  .state .badge {
    white-space: normal;
  }
  .head-facts {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
  }
  .head-facts > * {
    min-width: 0;
  }

  .claim {
    display: grid;
    gap: 10px;
  }
  .claim > * {
    min-width: 0;
  }
  .claim h2 {
    margin-bottom: -6px;
  }
  .claim-text {
    font-size: 1.1em;
    max-width: 76ch;
    max-height: 20em;
    overflow-y: auto;
  }
  .remarks {
    display: grid;
    gap: 4px;
  }

  .excerpt,
  .code {
    border: 1px solid var(--line);
    border-radius: var(--round);
    background: var(--well);
    line-height: 1.55;
    overflow: hidden auto;
    max-height: 31em;
  }
  .excerpt {
    padding: 6px 0;
  }
  .row {
    display: grid;
    grid-template-columns: 4.5em minmax(0, 1fr);
    padding-inline-end: 10px;
    font-family: var(--mono);
    font-size: var(--vscode-editor-font-size, 12px);
    border-inline-start: 3px solid transparent;
  }
  .row code {
    white-space: pre-wrap;
    tab-size: 4;
  }
  .line-number {
    position: relative;
    padding-inline-end: 1.2em;
    text-align: end;
    color: var(--vscode-editorLineNumber-foreground, var(--muted));
    user-select: none;
  }
  .row.flagged {
    border-inline-start-color: var(--open);
    background: color-mix(in srgb, var(--open) 13%, transparent);
  }
  .row.flagged .line-number {
    color: var(--text);
    font-weight: 600;
  }
  .vscode-high-contrast .row.flagged,
  .vscode-high-contrast-light .row.flagged {
    background: none;
    outline: 1px dashed var(--open);
    outline-offset: -1px;
  }
  .code {
    padding: 5px 10px;
    white-space: pre-wrap;
    tab-size: 4;
    max-height: 20em;
  }
  .steps {
    display: grid;
    gap: 3px;
    list-style: decimal;
    padding-inline-start: 2em;
  }
  @container page (max-width: 420px) {
    .row {
      grid-template-columns: 3.4em minmax(0, 1fr);
    }
    .line-number {
      padding-inline-end: 0.8em;
    }
  }
`;

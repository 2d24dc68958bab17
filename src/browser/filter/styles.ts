import { css } from "lit";

/** The bar in the sidebar: small, in the colours of the sidebar, of use from 180 px on. */
export const bar = css`
  body {
    background: var(--vscode-sideBar-background, transparent);
  }
  #skeptical-triage {
    --page: var(--vscode-sideBar-background, var(--vscode-editor-background, Canvas));
    --edge: var(--vscode-contrastBorder, color-mix(in srgb, var(--text) 22%, transparent));
    --high: 22px;
    min-height: 0;
    line-height: 1.35;
  }
  #skeptical-triage main {
    padding: 4px 12px 6px;
    max-width: 44rem;
    margin: 0;
  }

  search {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 5px;
  }
  .line {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 4px;
  }
  .box {
    position: relative;
    min-width: 0;
  }
  .box > .codicon {
    position: absolute;
    inset-block: 0;
    inset-inline-start: 6px;
    display: grid;
    place-items: center;
    font-size: 14px;
    pointer-events: none;
  }
  input {
    font: inherit;
    width: 100%;
    height: 24px;
    padding: 0 6px 0 26px;
    text-overflow: ellipsis;
    color: var(--vscode-input-foreground, FieldText);
    background: var(--vscode-input-background, Field);
    border: 1px solid var(--vscode-input-border, var(--edge));
    border-radius: 4px;
  }
  input::placeholder {
    color: var(--muted);
    opacity: 1;
  }
  #skeptical-triage input:focus {
    outline: 1px solid var(--focus);
    outline-offset: -1px;
  }

  .chips {
    display: grid;
    gap: 4px;
  }
  /* As wide as their counts need, since "Nit 4.2k" is twice as long as "P0 0". */
  .four {
    display: flex;
  }
  .four > .chip {
    flex: 1 1 auto;
    overflow: hidden;
  }
  .three {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }
  .two {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  .chip {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 5px;
    min-width: 0;
    height: var(--high);
    padding: 0 6px;
    font: inherit;
    color: var(--text);
    background: transparent;
    border: 1px solid var(--edge);
    border-radius: 4px;
    cursor: pointer;
  }
  .chip:hover {
    background: color-mix(in srgb, var(--tone) 12%, transparent);
  }
  .chip .name {
    min-width: 0;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .chip:is([aria-pressed="true"], [data-set="true"]) {
    border-color: var(--tone);
    background: color-mix(in srgb, var(--tone) 20%, transparent);
    box-shadow: inset 0 -2px var(--tone);
  }
  .chip:not(.severity) {
    --tone: var(--focus);
  }
  .chip.mark {
    width: 28px;
    height: 24px;
    padding: 0;
  }
  .chip.pick {
    justify-content: space-between;
    gap: 2px;
  }
  .chip.pick .codicon {
    font-size: 12px;
  }
  .severity {
    gap: 4px;
    padding-inline: 4px;
    border-inline-start: 3px solid var(--tone);
  }
  .severity .name {
    flex: none;
    font-weight: 600;
  }
  .severity .count {
    color: var(--muted);
    font-size: 0.85em;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .severity[aria-pressed="true"] .count {
    color: var(--text);
  }
  .severity-P0,
  .severity-P1 {
    --tone: var(--real);
  }
  .severity-P2 {
    --tone: var(--open);
  }
  .severity-Nit {
    --tone: var(--info);
  }
  .vscode-high-contrast .chip,
  .vscode-high-contrast-light .chip {
    background: none;
  }
  .vscode-high-contrast .chip:hover,
  .vscode-high-contrast-light .chip:hover {
    outline: 1px dashed var(--vscode-contrastActiveBorder, currentColor);
  }
  .vscode-high-contrast .chip:is([aria-pressed="true"], [data-set="true"]),
  .vscode-high-contrast-light .chip:is([aria-pressed="true"], [data-set="true"]) {
    border: 1px solid var(--vscode-contrastActiveBorder, currentColor);
    box-shadow: inset 0 0 0 1px var(--vscode-contrastActiveBorder, currentColor);
  }

  .foot {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 8px;
    min-height: 1.4em;
    color: var(--muted);
  }
  .foot p {
    min-width: 0;
  }

  @container page (min-width: 360px) {
    .two {
      grid-template-columns: repeat(4, minmax(0, 1fr));
    }
  }
  @container page (max-width: 230px) {
    .chip {
      padding: 0 3px;
    }
    .severity {
      gap: 3px;
      font-size: 0.92em;
    }
  }
`;

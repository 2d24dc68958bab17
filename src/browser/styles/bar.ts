import { css } from "lit";

/** The bar that stays in view, its form, and the page that has nothing to show. */
export const bar = css`
  .bar {
    position: fixed;
    inset: auto 0 0 0;
    z-index: 2;
    display: grid;
    gap: 8px;
    padding: 10px max(20px, calc((100% - 1080px) / 2));
    border-top: 1px solid var(--line);
    background: var(--page);
    max-height: 70vh;
    overflow-y: auto;
  }
  #skeptical-triage .bar:focus-visible {
    outline-offset: -2px;
  }
  .notice,
  .problem {
    display: flex;
    gap: 8px;
  }
  .notice .codicon {
    color: var(--info);
    line-height: var(--row);
  }
  .problem .codicon {
    color: var(--real);
    line-height: var(--row);
  }
  :is(.notice, .problem):not(:has(.codicon)) {
    position: absolute;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .button {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 28px;
    padding: 3px 12px;
    font: inherit;
    border: 1px solid var(--vscode-button-border, transparent);
    border-radius: 4px;
    cursor: pointer;
  }
  .button.main {
    color: var(--vscode-button-foreground, ButtonText);
    background: var(--vscode-button-background, ButtonFace);
  }
  .button.main:hover {
    background: var(--vscode-button-hoverBackground, ButtonFace);
  }
  .button.side {
    color: var(--vscode-button-secondaryForeground, var(--text));
    background: var(--vscode-button-secondaryBackground, transparent);
    border-color: var(--vscode-button-secondaryBorder, var(--vscode-contrastBorder, var(--line)));
  }
  .button.side:hover {
    background: var(--vscode-button-secondaryHoverBackground, var(--well));
  }
  .vscode-high-contrast .button,
  .vscode-high-contrast-light .button {
    border-color: var(--vscode-contrastBorder, currentColor);
  }
  .vscode-high-contrast .button:hover,
  .vscode-high-contrast-light .button:hover {
    outline: 1px dashed var(--vscode-contrastActiveBorder, currentColor);
  }
  .button[aria-disabled="true"],
  .button[aria-disabled="true"]:hover {
    color: var(--vscode-disabledForeground, GrayText);
    background: transparent;
    border: 1px dashed var(--line);
    outline: none;
    cursor: default;
  }
  .button[aria-disabled="true"]:focus-visible {
    outline: 1px solid var(--focus);
  }
  .why-not {
    display: grid;
    gap: 2px;
    color: var(--muted);
  }
  .why-not strong {
    font-weight: 600;
  }
  .reason-form {
    display: grid;
    gap: 6px;
    padding-bottom: 4px;
  }
  .reason-form label {
    font-weight: 600;
  }
  textarea {
    font: inherit;
    width: 100%;
    min-height: 4.5em;
    max-height: 30vh;
    padding: 6px 8px;
    resize: vertical;
    color: var(--vscode-input-foreground, FieldText);
    background: var(--vscode-input-background, Field);
    border: 1px solid color-mix(in srgb, var(--text) 45%, transparent);
    border-radius: 4px;
  }
  textarea[aria-invalid="true"] {
    border-color: var(--vscode-inputValidation-errorBorder, var(--real));
  }
  .nothing {
    justify-content: center;
    align-items: center;
    text-align: center;
    color: var(--muted);
  }
  .nothing .codicon {
    margin-inline-end: 8px;
    vertical-align: -3px;
  }
  @media (max-width: 420px) {
    main {
      padding: 12px 12px calc(20px + var(--bar-height, 0px));
    }
    .bar {
      padding: 8px 12px;
    }
    .keys {
      display: none;
    }
  }
`;

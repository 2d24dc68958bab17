import { css } from "lit";

/** Colours, type and links. Only theme variables carry colour, each with a fallback. */
export const base = css`
  #skeptical-triage {
    --real: var(--vscode-charts-red, #d1453b);
    --false: var(--vscode-charts-green, #388a34);
    --open: var(--vscode-charts-yellow, #b58900);
    --info: var(--vscode-charts-blue, #2472c8);
    --text: var(--vscode-foreground, CanvasText);
    --muted: var(--vscode-descriptionForeground, var(--text));
    --page: var(--vscode-editor-background, Canvas);
    --line: var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-panel-border, #8886)));
    --card: color-mix(in srgb, var(--page) 97%, var(--text));
    --well: color-mix(in srgb, var(--page) 94%, var(--text));
    --focus: var(--vscode-focusBorder, Highlight);
    --mono: var(--vscode-editor-font-family, ui-monospace, monospace);
    --tone: var(--muted);
    --round: 6px;
    --row: calc(var(--vscode-font-size, 13px) * 1.5);
    color: var(--text);
    font-size: var(--vscode-font-size, 13px);
    line-height: 1.5;
    display: flex;
    flex-direction: column;
    min-height: 100vh;
    overflow-wrap: anywhere;
  }
  /* The page measures its bar and keeps --bar-height; what has the focus never hides behind it. */
  html {
    scroll-padding-block: 12px calc(var(--bar-height, 0px) + 12px);
  }
  body {
    margin: 0;
    padding: 0;
    background: var(--vscode-editor-background, Canvas);
  }
  .vscode-high-contrast #skeptical-triage,
  .vscode-high-contrast-light #skeptical-triage {
    --card: var(--page);
    --well: var(--page);
    --muted: var(--text);
  }

  #skeptical-triage *,
  #skeptical-triage *::before {
    box-sizing: border-box;
  }
  main {
    flex: 1;
    width: 100%;
    max-width: 1120px;
    margin: 0 auto;
    padding: 16px 20px calc(28px + var(--bar-height, 0px));
    display: flex;
    flex-direction: column;
    gap: 20px;
    container: page / inline-size;
  }
  main > *,
  .bar > * {
    min-width: 0;
  }
  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd,
  pre {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h2 {
    font-size: 1em;
    font-weight: 600;
    margin-bottom: 8px;
  }
  h2 .muted {
    font-weight: 400;
    margin-inline-start: 6px;
  }
  h3 {
    font-size: 1em;
    font-weight: 600;
  }
  .muted,
  .note {
    color: var(--muted);
  }
  .said {
    white-space: pre-wrap;
    unicode-bidi: isolate;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .tone-real {
    --tone: var(--real);
  }
  .tone-false {
    --tone: var(--false);
  }
  .tone-open {
    --tone: var(--open);
  }
  .tone-info {
    --tone: var(--info);
  }
  .tone-off {
    --tone: var(--muted);
  }
  #skeptical-triage .codicon {
    flex: none;
    color: inherit;
  }

  code,
  pre {
    font-family: var(--mono);
    font-size: var(--vscode-editor-font-size, 12px);
  }
  #skeptical-triage code {
    color: inherit;
    background: none;
    padding: 0;
    unicode-bidi: isolate;
  }
  #skeptical-triage code.inline {
    padding: 0 4px;
    border-radius: 3px;
    background: var(--well);
  }
  .odd {
    font-family: var(--mono);
    font-size: 0.85em;
    padding: 0 3px;
    border: 1px dashed var(--open);
    border-radius: 3px;
    white-space: normal;
    unicode-bidi: isolate;
  }
  .link {
    font: inherit;
    color: var(--vscode-textLink-foreground, LinkText);
    background: none;
    border: 0;
    padding: 0;
    margin: 0;
    text-align: start;
    cursor: pointer;
    overflow-wrap: anywhere;
    border-radius: 2px;
  }
  .link:hover {
    color: var(--vscode-textLink-activeForeground, LinkText);
    text-decoration: underline;
  }
  .vscode-high-contrast .link,
  .vscode-high-contrast-light .link {
    text-decoration: underline;
  }
  .link .codicon {
    font-size: inherit;
    vertical-align: -2px;
  }
  .place {
    font-family: var(--mono);
    font-size: var(--vscode-editor-font-size, 12px);
    unicode-bidi: isolate;
  }
  #skeptical-triage :is(button, summary, textarea, [tabindex]):focus-visible {
    outline: 1px solid var(--focus);
    outline-offset: 2px;
  }
  .vscode-high-contrast #skeptical-triage :is(button, summary, textarea, [tabindex]):focus-visible,
  .vscode-high-contrast-light #skeptical-triage :is(button, summary, textarea, [tabindex]):focus-visible {
    outline-width: 2px;
  }
`;

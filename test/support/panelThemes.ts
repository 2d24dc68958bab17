/** The kinds of theme an editor has, by the class it sets on the page's body. */
export const THEMES = ["vscode-dark", "vscode-light", "vscode-high-contrast", "vscode-high-contrast-light"] as const;
export type Theme = (typeof THEMES)[number];

const dark = {
  foreground: "#bfbfbf",
  descriptionForeground: "#8c8c8c",
  disabledForeground: "#555555",
  errorForeground: "#f48771",
  focusBorder: "#3994bcb3",
  "editor-background": "#121314",
  "sideBar-background": "#191a1b",
  "editor-foreground": "#bbbebf",
  "editorLineNumber-foreground": "#858889",
  "widget-border": "#2a2b2c",
  "panel-border": "#2a2b2c",
  "textLink-foreground": "#48a0c7",
  "textLink-activeForeground": "#53a5ca",
  "textPreformat-foreground": "#8c8c8c",
  "textPreformat-background": "#262626",
  "button-background": "#297aa0",
  "button-foreground": "#ffffff",
  "button-hoverBackground": "#2b7da3",
  "button-border": "#297aa0",
  "button-secondaryBackground": "#00000000",
  "button-secondaryForeground": "#cccccc",
  "button-secondaryHoverBackground": "#ffffff10",
  "button-secondaryBorder": "#333536",
  "input-background": "#191a1b",
  "input-foreground": "#bfbfbf",
  "input-border": "#333536",
  "inputValidation-errorBorder": "#be1100",
  "progressBar-background": "#878889",
  "charts-red": "#ef8773",
  "charts-yellow": "#e0b97f",
  "charts-green": "#86cf86",
  "charts-blue": "#57a3f8",
  "scrollbarSlider-background": "#a8a9aa85",
};

const light: typeof dark = {
  foreground: "#202020",
  descriptionForeground: "#606060",
  disabledForeground: "#bbbbbb",
  errorForeground: "#ad0707",
  focusBorder: "#0069cc",
  "editor-background": "#ffffff",
  "sideBar-background": "#fafafd",
  "editor-foreground": "#202020",
  "editorLineNumber-foreground": "#606060",
  "widget-border": "#e2e2e5",
  "panel-border": "#f0f1f2",
  "textLink-foreground": "#0069cc",
  "textLink-activeForeground": "#0069cc",
  "textPreformat-foreground": "#a31515",
  "textPreformat-background": "#0000001a",
  "button-background": "#0069cc",
  "button-foreground": "#ffffff",
  "button-hoverBackground": "#0063c1",
  "button-border": "#0069cc",
  "button-secondaryBackground": "#eaeaea",
  "button-secondaryForeground": "#202020",
  "button-secondaryHoverBackground": "#f2f3f4",
  "button-secondaryBorder": "#eaeaea",
  "input-background": "#ffffff",
  "input-foreground": "#202020",
  "input-border": "#d8d8d866",
  "inputValidation-errorBorder": "#ad0707",
  "progressBar-background": "#0069cc",
  "charts-red": "#ad0707",
  "charts-yellow": "#667309",
  "charts-green": "#388a34",
  "charts-blue": "#1a5cff",
  "scrollbarSlider-background": "#64646466",
};

const highContrast = {
  foreground: "#ffffff",
  descriptionForeground: "#ffffffb3",
  disabledForeground: "#a5a5a5",
  errorForeground: "#f48771",
  focusBorder: "#f38518",
  contrastBorder: "#6fc3df",
  contrastActiveBorder: "#f38518",
  "editor-background": "#000000",
  "sideBar-background": "#000000",
  "editor-foreground": "#ffffff",
  "editorLineNumber-foreground": "#ffffff",
  "widget-border": "#6fc3df",
  "panel-border": "#6fc3df",
  "textLink-foreground": "#21a6ff",
  "textLink-activeForeground": "#21a6ff",
  "textPreformat-foreground": "#ffffff",
  "button-background": "#000000",
  "button-foreground": "#ffffff",
  "button-hoverBackground": "#000000",
  "button-border": "#6fc3df",
  "button-secondaryForeground": "#ffffff",
  "button-secondaryBorder": "#6fc3df",
  "input-background": "#000000",
  "input-foreground": "#ffffff",
  "input-border": "#6fc3df",
  "inputValidation-errorBorder": "#6fc3df",
  "progressBar-background": "#6fc3df",
  "charts-red": "#f48771",
  "charts-yellow": "#ffd370",
  "charts-green": "#89d185",
  "charts-blue": "#59a4f9",
  "scrollbarSlider-background": "#6fc3df99",
};

const highContrastLight: typeof highContrast = {
  foreground: "#292929",
  descriptionForeground: "#292929b3",
  disabledForeground: "#7f7f7f",
  errorForeground: "#b5200d",
  focusBorder: "#006bbd",
  contrastBorder: "#0f4a85",
  contrastActiveBorder: "#006bbd",
  "editor-background": "#ffffff",
  "sideBar-background": "#ffffff",
  "editor-foreground": "#292929",
  "editorLineNumber-foreground": "#292929",
  "widget-border": "#0f4a85",
  "panel-border": "#0f4a85",
  "textLink-foreground": "#0f4a85",
  "textLink-activeForeground": "#0f4a85",
  "textPreformat-foreground": "#ffffff",
  "button-background": "#0f4a85",
  "button-foreground": "#ffffff",
  "button-hoverBackground": "#0f4a85",
  "button-border": "#0f4a85",
  "button-secondaryForeground": "#292929",
  "button-secondaryBorder": "#0f4a85",
  "input-background": "#ffffff",
  "input-foreground": "#292929",
  "input-border": "#0f4a85",
  "inputValidation-errorBorder": "#0f4a85",
  "progressBar-background": "#0f4a85",
  "charts-red": "#b5200d",
  "charts-yellow": "#895503",
  "charts-green": "#374e06",
  "charts-blue": "#0063d3",
  "scrollbarSlider-background": "#0f4a8566",
};

const fonts = {
  "font-family": "system-ui, 'DejaVu Sans', sans-serif",
  "font-size": "13px",
  "font-weight": "normal",
  "editor-font-family": "'DejaVu Sans Mono', monospace",
  "editor-font-size": "12px",
};

/** The `--vscode-*` variables that the page reads, as the default themes of VS Code 1.139 define them. */
export const VARIABLES: Readonly<Record<Theme, Readonly<Record<string, string>>>> = {
  "vscode-dark": { ...fonts, ...dark },
  "vscode-light": { ...fonts, ...light },
  "vscode-high-contrast": { ...fonts, ...highContrast },
  "vscode-high-contrast-light": { ...fonts, ...highContrastLight },
};

/** The sheet that the editor puts into every webview before anything else; its layer lets the page's own rules win. */
export const EDITOR_SHEET = `@layer vscode-default {
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body { overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
    font-family: var(--vscode-font-family); font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size);
    margin: 0; padding: 0 20px; }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background);
    padding: 1px 3px; border-radius: 4px; }
  pre code { padding: 0; }
}`;

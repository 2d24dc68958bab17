import { css } from "lit";

/** The verdict: what was decided, the marks of the vote, and why. */
export const verdict = css`
  .verdict {
    display: flex;
    flex-direction: column;
    gap: 12px;
    padding: 14px 16px;
    border: 1px solid var(--line);
    border-inline-start: 4px solid var(--tone);
    border-radius: var(--round);
    background: var(--card);
  }
  .verdict-top {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 12px 28px;
    align-items: start;
  }
  .verdict-words {
    display: grid;
    align-content: start;
    gap: 4px;
  }
  .headline {
    display: flex;
    align-items: flex-start;
    gap: 8px;
    font-size: 1.25em;
    font-weight: 600;
    line-height: 1.35;
  }
  .headline .codicon {
    color: var(--tone);
    font-size: 18px;
    line-height: 1.35em;
  }
  .next {
    max-width: 70ch;
  }
  .before {
    display: block;
    margin-top: 4px;
  }
  .standing .codicon {
    line-height: var(--row);
  }
  .votes {
    display: grid;
    gap: 6px;
    justify-items: center;
  }
  .pips {
    display: grid;
    grid-template-columns: repeat(4, 6rem);
  }
  .pip {
    position: relative;
    display: grid;
    justify-items: center;
    align-content: start;
    text-align: center;
    line-height: 1.3;
  }
  .pip + .pip::before {
    content: "";
    position: absolute;
    top: 14px;
    inset-inline: calc(-50% + 17px) calc(50% + 17px);
    border-top: 1px solid var(--line);
  }
  .pip-mark,
  .step-mark {
    display: grid;
    place-items: center;
    width: 28px;
    height: 28px;
    border: 1px solid var(--tone);
    border-radius: 50%;
    color: var(--tone);
    background: color-mix(in srgb, var(--tone) 12%, var(--card));
  }
  .pip.arbiter .pip-mark,
  [data-card="arbiter"] .step-mark {
    border-radius: 7px;
    border-width: 2px;
  }
  .vscode-high-contrast :is(.pip-mark, .step-mark),
  .vscode-high-contrast-light :is(.pip-mark, .step-mark) {
    background: var(--page);
  }
  .pip-name {
    margin-top: 4px;
    color: var(--muted);
  }
  .pip-word {
    font-weight: 600;
  }
  .pip.tone-off .pip-word {
    font-weight: 400;
    color: var(--muted);
  }
  .figure {
    font-variant-numeric: tabular-nums;
    padding: 0 10px;
    border: 1px solid var(--line);
    border-radius: 1em;
  }
  .standing {
    display: flex;
    gap: 8px;
  }
  .standing.overrule {
    padding: 8px 12px;
    border: 1px solid var(--open);
    border-radius: var(--round);
    background: color-mix(in srgb, var(--open) 9%, transparent);
  }
  .standing.overrule .codicon {
    color: var(--open);
  }
  .standing.agree .codicon {
    color: var(--tone);
  }
  .vscode-high-contrast .standing.overrule,
  .vscode-high-contrast-light .standing.overrule {
    background: none;
  }
  .because {
    display: grid;
    gap: 6px;
  }
  .because li {
    max-width: 90ch;
  }
  .because + .muted {
    margin-top: 6px;
  }
  .rule-id {
    color: var(--muted);
    white-space: nowrap;
  }
  .rule-id::before {
    content: "· ";
  }
  /* Room for what the outcome will say, so that the cards below stay where they are. */
  .with-rounds > .verdict-top + .standing {
    min-height: calc(var(--row) + 18px);
  }
  .with-rounds > :is(.muted, .fold) {
    min-height: calc(var(--row) + 4px);
  }
  @container page (max-width: 820px) {
    .with-rounds > .verdict-top + .standing {
      min-height: calc(2 * var(--row) + 18px);
    }
  }
  @container page (max-width: 680px) {
    .verdict-top {
      grid-template-columns: minmax(0, 1fr);
    }
    .votes {
      justify-items: start;
    }
    .pips {
      grid-template-columns: repeat(4, minmax(0, 6.5rem));
    }
    .with-rounds .verdict-words {
      min-height: calc(2 * var(--row) + 2em);
    }
  }
  @container page (max-width: 420px) {
    .verdict {
      padding: 12px;
    }
    .with-rounds .verdict-words {
      min-height: calc(3 * var(--row) + 3.7em);
    }
    .with-rounds .pip-word {
      min-height: 2.6em;
    }
    .with-rounds > .verdict-top + .standing {
      min-height: calc(4 * var(--row) + 18px);
    }
  }
`;

import { css } from "lit";

/** The rail of rounds and the arbiter. */
export const rounds = css`
  .rail {
    display: grid;
    gap: 10px;
  }
  .step {
    position: relative;
    display: grid;
    grid-template-columns: 28px minmax(0, 1fr);
    gap: 12px;
  }
  .step-mark {
    position: relative;
    z-index: 1;
    margin-top: 8px;
  }
  .step:not(:last-child)::before {
    content: "";
    position: absolute;
    inset-block: 22px -24px;
    inset-inline-start: 14px;
    border-inline-start: 1px solid var(--line);
  }
  .card {
    min-height: 8.2em;
    padding: 10px 14px 12px;
    border: 1px solid var(--line);
    border-radius: var(--round);
    background: var(--card);
    min-width: 0;
  }
  .step.tone-off .card {
    background: none;
    border: 1px dashed var(--line);
  }
  .busy .card {
    border-color: var(--tone);
  }
  [data-card="arbiter"]:not(.tone-off) .card {
    border-color: var(--tone);
  }
  .card-head {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 12px;
  }
  .card-head .badge {
    font-weight: 600;
  }
  .tone-off .card-head .badge {
    font-weight: 400;
    color: var(--muted);
  }
  .statement {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px 24px;
    margin-top: 8px;
  }
  .statement-words {
    display: grid;
    gap: 6px;
    align-content: start;
    min-width: 0;
  }
  .crux {
    font-size: 1.1em;
    font-weight: 600;
    line-height: 1.45;
  }
  .reasoning {
    max-width: 80ch;
  }
  .card > .abstained {
    margin-top: 8px;
  }
  .progress {
    position: relative;
    height: 2px;
    margin-top: 16px;
    overflow: hidden;
    border-radius: 1px;
    background: color-mix(in srgb, var(--tone) 22%, transparent);
  }
  .progress::before {
    content: "";
    position: absolute;
    inset-block: 0;
    inset-inline: 0 70%;
    background: var(--vscode-progressBar-background, var(--tone));
    animation: sweep 1.6s linear infinite;
  }
  @keyframes sweep {
    from {
      transform: translateX(-100%);
    }
    to {
      transform: translateX(340%);
    }
  }
  @container page (min-width: 860px) {
    .statement {
      grid-template-columns: minmax(0, 11fr) minmax(0, 9fr);
    }
  }
  @container page (max-width: 480px) {
    .step {
      grid-template-columns: minmax(0, 1fr);
    }
    .step-mark,
    .step::before {
      display: none;
    }
    .card {
      padding: 10px 12px;
    }
  }
`;

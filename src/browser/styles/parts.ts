import { css } from "lit";

/** Badges, remarks, sections that open, lists of facts; and no motion for who wants none. */
export const parts = css`
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    white-space: nowrap;
  }
  .badge .codicon {
    color: var(--tone);
    font-size: 14px;
  }
  .remark {
    display: flex;
    gap: 8px;
    align-items: flex-start;
  }
  .remark > .codicon {
    color: var(--tone);
    line-height: var(--row);
  }
  .remark > span:last-child {
    min-width: 0;
  }

  .fold > summary {
    display: flex;
    align-items: flex-start;
    gap: 4px;
    width: fit-content;
    max-width: 100%;
    padding: 2px 6px 2px 0;
    cursor: pointer;
    list-style: none;
    border-radius: 3px;
  }
  .fold > summary::-webkit-details-marker {
    display: none;
  }
  .fold > summary:hover .fold-title {
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .fold > summary > .codicon {
    font-size: 14px;
    line-height: var(--row);
    transition: transform 120ms;
  }
  .fold[open] > summary > .codicon {
    transform: rotate(90deg);
  }
  .fold-title {
    min-width: 0;
  }
  .fold-body {
    padding: 6px 0 2px 20px;
  }
  .facts {
    display: grid;
    gap: 4px;
  }
  .facts > div {
    display: grid;
    grid-template-columns: minmax(6rem, max-content) 1fr;
    gap: 12px;
  }
  .facts dt {
    color: var(--muted);
  }
  .facts dd {
    min-width: 0;
  }
  @container page (max-width: 420px) {
    .facts > div {
      grid-template-columns: 1fr;
      gap: 0;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    #skeptical-triage *,
    #skeptical-triage *::before {
      animation: none !important;
      transition: none !important;
    }
  }
  .vscode-reduce-motion #skeptical-triage *,
  .vscode-reduce-motion #skeptical-triage *::before {
    animation: none !important;
    transition: none !important;
  }
`;

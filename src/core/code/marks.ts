/** Comments with which checkers are told to keep silent. */
export const SUPPRESSION =
  /(?:eslint-disable|oxlint-disable|biome-ignore|@ts-(?:ignore|expect-error|nocheck)|\bnoqa\b|\bnosec\b|#\s*type:\s*ignore|NOLINT|nosemgrep|@SuppressWarnings)/;

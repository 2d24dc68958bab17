import type { CheckerTool } from "../core/checkerClaim.ts";

const KNOWN = {
  tsc: true,
  mypy: true,
  pyright: true,
  ruff: true,
  biome: true,
  oxlint: true,
  eslint: true,
  "go vet": true,
  shellcheck: true,
  gosec: true,
  bandit: true,
  semgrep: true,
  "npm audit": true,
} as const satisfies Record<CheckerTool, true>;

/** The checkers the engine knows. Here again since this side takes only types from the core; the record keeps it complete. */
export const CHECKER_TOOLS = Object.keys(KNOWN).filter((name): name is CheckerTool => name in KNOWN);

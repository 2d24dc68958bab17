import type { CheckerTool } from "../../core/checkerClaim.ts";
import { biome } from "./biome.ts";
import type { Checker } from "./checker.ts";
import { eslint } from "./eslint.ts";
import { goVet } from "./goVet.ts";
import { mypy } from "./mypy.ts";
import { npmAudit } from "./npmAudit.ts";
import { oxlint } from "./oxlint.ts";
import { pyright } from "./pyright.ts";
import { ruff } from "./ruff.ts";
import { bandit, gosec, semgrep } from "./scanners.ts";
import { shellcheck } from "./shellcheck.ts";
import { tsc } from "./tsc.ts";

/** Every checker the program can run: a new one is one file and one line here. */
export const CHECKERS: Readonly<Record<CheckerTool, Checker>> = {
  tsc,
  mypy,
  pyright,
  ruff,
  biome,
  oxlint,
  eslint,
  "go vet": goVet,
  shellcheck,
  gosec,
  bandit,
  semgrep,
  "npm audit": npmAudit,
};

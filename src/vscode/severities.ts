import type { Severity } from "../core/finding.ts";

const ORDER = { P0: 0, P1: 1, P2: 2, Nit: 3 } as const satisfies Record<Severity, number>;

/** Our severities, worst first. Here again since this side takes only types from the core; the record above keeps it complete. */
export const SEVERITIES = ["P0", "P1", "P2", "Nit"] as const satisfies readonly (keyof typeof ORDER)[];

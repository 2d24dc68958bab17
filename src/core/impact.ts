/** How much damage a real defect would do (R4.20). */
export const IMPACTS = ["critical", "high", "medium", "low"] as const;
export type Impact = (typeof IMPACTS)[number];

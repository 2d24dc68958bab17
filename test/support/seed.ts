/** The seed of this run's property tests, printed by a test of each file; set FUZZ_SEED to repeat a run. */
export const SEED = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);

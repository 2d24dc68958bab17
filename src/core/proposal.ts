/**
 * A program to be started only after a person accepted this exact line: `argv` as it would run, `cwd` workspace-relative,
 * `line` the same in words that a person reads and that acceptance is bound to, `why` what makes asking needful.
 */
export interface Proposal {
  readonly line: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly why: string;
}

/** What tells whether other files can reach a function. */
export interface Head {
  readonly name: string;
  /** The text of the declaration before its name. */
  readonly text: string;
  /** Exported by a statement of its own, or by that of its class. */
  readonly exported: boolean;
  readonly owner: string | null;
}

/**
 * A language: its grammar, and a query whose captures mean, each with the others of its pattern:
 * - `function` + `name` (+ `owner`): a named function; `parameter`: a name of the innermost one around it
 * - `type` + `name`: a declaration that owns functions; `scope` + `name`: the same, declared elsewhere
 * - `block`: its statements run one after another; `barrier`: what is inside may not run, or in a frame of its own
 * - `branch` + `condition` + `then`; `arm` + `condition`; `loop` + `condition` + `body`; `assertion`; `try` + `handler`
 * - `assigned`: the target of an assignment
 * - `call` + `callee` (+ `receiver`)
 * - `constant` + `name` + `value`; `variable` + the same: only where the text before its name fits `constant`
 * - `exported`: a name that its file exports
 * Any other capture serves the query's own predicates.
 */
export interface Grammar {
  /** For a person. */
  readonly language: string;
  /** Without the dot, in lower case. */
  readonly extensions: readonly string[];
  /** Name of its `.wasm` file. */
  readonly wasm: string;
  readonly query: string;
  readonly constant?: RegExp;
  readonly public?: (head: Head) => boolean | null;
}

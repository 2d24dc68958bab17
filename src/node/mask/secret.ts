/** A secret's place in a text: UTF-16 offsets, `end` exclusive. `type` names what it is: `github-token`, `password`. */
export interface Secret {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

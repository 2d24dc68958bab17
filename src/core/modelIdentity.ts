/** Who judged: shown to the person and logged. */
export interface ModelIdentity {
  /** `built-in`, `replay`, `editor:VENDOR`, or the server's origin. */
  readonly provider: string;
  readonly model: string;
  /** Who made it, as far as its name or the editor tells (`gpt`, `claude`, `qwen`): two of one family err alike. */
  readonly family?: string | undefined;
}

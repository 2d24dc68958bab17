// The one name of the web platform that the core uses. Only the core's own tsconfig reads this file:
// everywhere else the platform's full type stands.
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}

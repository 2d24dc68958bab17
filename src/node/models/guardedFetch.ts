/** What the guard needs of one call. */
export interface Guard {
  readonly fetch: typeof fetch;
  /** Aborts the request and the body that streams after it. */
  readonly signal: AbortSignal;
  /** Called for every piece of the body and for the headers. */
  readonly alive: () => void;
  /** Called with the address when the server sends the request on to another origin; the call is then given up. */
  readonly onForeignRedirect: (origin: string) => void;
}

// Everything else the client library would add (organisation, project, headers from environment variables, telemetry about
// this machine) is none of the server's business.
const SENT_HEADERS = ["accept", "authorization", "content-type"] as const;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;

function ownHeaders(headers: RequestInit["headers"]): Headers {
  const given = new Headers(headers);
  const sent = new Headers({ "user-agent": "skeptical-triage" });
  for (const name of SENT_HEADERS) {
    const value = given.get(name);
    if (value !== null) sent.set(name, value);
  }
  return sent;
}

function watched(response: Response, alive: () => void): Response {
  alive();
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        alive();
        controller.enqueue(piece);
      },
    }),
  );
  return new Response(body, { status, statusText, headers });
}

/**
 * A fetch for one call: sends only the headers it must, never lets a redirect carry the key or the code to another origin,
 * and reports every sign of life.
 */
export function guardedFetch(guard: Guard): typeof fetch {
  return async (input, init) => {
    let url = new URL(input instanceof Request ? input.url : input);
    const request: RequestInit = {
      method: init?.method ?? "GET",
      body: init?.body ?? null,
      headers: ownHeaders(init?.headers),
      redirect: "manual",
      signal: guard.signal,
    };
    for (let followed = 0; ; followed += 1) {
      const response = await guard.fetch(url, request);
      if (!REDIRECTS.has(response.status)) return watched(response, guard.alive);
      await response.body?.cancel();
      const next = new URL(response.headers.get("location") ?? "", url);
      if (next.origin !== url.origin || followed === MAX_REDIRECTS) {
        guard.onForeignRedirect(next.origin);
        throw new Error("redirect refused");
      }
      url = next;
    }
  };
}

import type { APIError } from "openai";
import * as z from "zod";
import type { Now } from "../../core/ports.ts";
import type { Attempt, Explain } from "./exchange.ts";

const LONGEST_QUOTE = 300;

/** Makes a server's text fit to be shown: without the key, on one line, at most 300 characters (marked where cut). */
export function scrubber(apiKey: string | null): (text: string) => string {
  return (text) => {
    const keyless = apiKey === null || apiKey === "" ? text : text.replaceAll(apiKey, "[key]");
    const line = keyless.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
    return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)} …` : line;
  };
}

/** How long the server asks to wait, in milliseconds; null where it does not say or says it unreadably. */
export function retryAfterMs(headers: Headers | undefined, now: Now): number | null {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const text = headers?.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now().getTime());
}

// The library puts the status in front of the server's words, or shows the whole body where it knows no better.
function said(error: APIError, scrub: Explain["scrub"]): string {
  const body = z.looseObject({ message: z.string() }).safeParse(error.error);
  const text = scrub(body.success ? body.data.message : error.message.replace(/^\d{3} /, ""));
  return text === "" ? "" : ` It said: ${text}`;
}

/** Sorts an HTTP error status. The texts for 401 and 403 quote nothing: servers like to repeat the key there. */
export function statusProblem(error: APIError, status: number, explain: Explain): Attempt {
  const { origin, model, scrub, now } = explain;
  switch (status) {
    case 400:
    case 422: {
      const reason = `${origin} does not accept the request (${status}).${said(error, scrub)}`;
      const named = `${error.param ?? ""} ${error.message}`;
      return { kind: "rejected", code: error.code ?? null, named, reason };
    }
    case 401:
      return {
        kind: "denied",
        status,
        reason: `${origin} does not accept the key (401). Enter the key of this server anew.`,
      };
    case 403:
      return {
        kind: "denied",
        status,
        reason: `${origin} refuses access (403). Check that the key may use the model "${model}".`,
      };
    case 404: {
      const reason = `${origin} knows no such address or model (404). Check the server address (it often ends in /v1) and the model name "${model}".${said(error, scrub)}`;
      return { kind: "denied", status, reason };
    }
    case 429:
    case 503: {
      // Waiting does not fill an empty account.
      if (error.code === "insufficient_quota") {
        return {
          kind: "denied",
          status,
          reason: `The account at ${origin} has no quota left (429).${said(error, scrub)}`,
        };
      }
      const what = status === 429 ? "asks to slow down" : "is not available for the moment";
      const reason = `${origin} ${what} (${status}).${said(error, scrub)}`;
      return { kind: "wait", waitMs: retryAfterMs(error.headers, now), reason };
    }
    default: {
      const reason = `${origin} failed with status ${status}.${said(error, scrub)}`;
      return status >= 500 || status === 408 || status === 409
        ? { kind: "broken", status, reason }
        : { kind: "denied", status, reason };
    }
  }
}

const CONNECTION_PROBLEMS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "nothing answers there. Is the server running?"],
  ["ENOTFOUND", "the host name is not known. Check the server address and the network."],
  ["EAI_AGAIN", "the host name could not be looked up. Check the network."],
  ["ETIMEDOUT", "the connection timed out."],
  ["ECONNRESET", "the server closed the connection before its answer was complete."],
  ["EPIPE", "the server closed the connection before its answer was complete."],
  ["UND_ERR_SOCKET", "the server closed the connection before its answer was complete."],
  ["UND_ERR_CONNECT_TIMEOUT", "the connection timed out."],
  ["UND_ERR_HEADERS_TIMEOUT", "the server sent nothing for 5 minutes."],
  ["UND_ERR_BODY_TIMEOUT", "the server sent nothing for 5 minutes."],
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "its certificate is signed by itself. Add it with NODE_EXTRA_CA_CERTS if you trust it.",
  ],
  [
    "SELF_SIGNED_CERT_IN_CHAIN",
    "its certificate chain is not trusted. Add its root with NODE_EXTRA_CA_CERTS if you trust it.",
  ],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate cannot be verified."],
  ["CERT_HAS_EXPIRED", "its certificate has expired."],
]);

/** Says why a connection failed, from the error codes down its chain of causes. */
export function connectionProblem(error: unknown, { origin, scrub }: Explain): string {
  let innermost = "";
  let cause: unknown = error;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1) {
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    const known = CONNECTION_PROBLEMS.get(code);
    if (known !== undefined) return `${origin}: ${known}`;
    innermost = code === "" ? cause.message : `${cause.message} (${code})`;
    cause = cause.cause;
  }
  return `${origin}: the exchange broke off: ${scrub(innermost)}`;
}

import { createServer, type IncomingMessage, type RequestListener } from "node:http";

/** A server that answers as `listener` says, while `work` runs. */
export async function withLister(
  listener: RequestListener,
  work: (origin: string, port: number) => Promise<void>,
): Promise<void> {
  const server = createServer(listener);
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  try {
    await work(`http://127.0.0.1:${port}`, port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  let free = 0;
  await withLister(
    () => undefined,
    async (_origin, port) => void (free = port),
  );
  return free;
}

/** Lists these models below /v1, and nothing anywhere else. */
export function listing(...names: readonly string[]): RequestListener {
  return ({ url }: IncomingMessage, response) => {
    response.setHeader("content-type", "application/json");
    if (url === "/v1/models") response.end(JSON.stringify({ object: "list", data: names.map((id) => ({ id })) }));
    else response.writeHead(404).end("{}");
  };
}

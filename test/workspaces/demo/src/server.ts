import { createServer } from "node:http";
import { getLabel, getParcels, postOrder, type Services } from "./routes.ts";

/** Starts the service on a port; the caller keeps the handle. */
export function start(port: number, services: Services) {
  return createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    try {
      if (url.pathname === "/parcels") response.end(JSON.stringify(await getParcels(url, services)));
      else if (url.pathname === "/labels") response.end(await getLabel(url));
      else if (url.pathname === "/orders") response.end(await postOrder(JSON.parse(await text(request)), services));
      else response.writeHead(404).end();
    } catch {
      response.writeHead(400).end();
    }
  }).listen(port);
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

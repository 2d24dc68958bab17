import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import tls from "node:tls";
import { networkVariables } from "../../src/vscode/network.ts";
import type { PanelState } from "../../src/protocol/panel.ts";
import { AGREES, rounds } from "../support/personas.ts";
import { startScriptedServer } from "../support/scriptedServer.ts";
import { copyDemo, startWorker } from "../support/workerProcess.ts";

const QUANTITY = "A negative quantity";
const PLAIN = { proxy: "", proxySupport: "override", noProxy: [], systemCertificates: true };

/** Triages one finding of the demo with this server, in a worker with these variables, and gives what the panel shows. */
async function triageWith(
  serverUrl: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ state: PanelState; why: string }> {
  const demo = await copyDemo();
  const worker = await startWorker(demo, { env, settings: { model: "server", serverUrl, serverModel: "scripted" } });
  try {
    const { key } = await worker.row(QUANTITY);
    await worker.triage({ kind: "keys", keys: [key] });
    const state = await worker.state(key);
    return { state, why: JSON.stringify(state.rounds) };
  } finally {
    await worker.stop();
    await demo.remove();
  }
}

async function listening(server: net.Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}

/** A proxy that leads every name to one port of this machine, and notes the names. */
async function startProxy(port: number): Promise<{ url: string; asked: string[]; close: () => void }> {
  const asked: string[] = [];
  const proxy = http.createServer((request, response) => {
    const { host, pathname } = new URL(request.url ?? "");
    asked.push(host);
    const { method, headers } = request;
    const onwards = http.request({ port, host: "127.0.0.1", path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onwards);
  });
  proxy.on("connect", (request, socket: net.Socket, head: Buffer) => {
    asked.push(request.url ?? "");
    const onwards = net.connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onwards.write(head);
      onwards.pipe(socket);
      socket.pipe(onwards);
    });
    for (const end of [onwards, socket]) end.on("error", () => (onwards.destroy(), socket.destroy()));
  });
  const at = await listening(proxy);
  return {
    url: `http://127.0.0.1:${at}`,
    asked,
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

test("the worker reaches a model server through the editor's proxy", async () => {
  const server = await startScriptedServer(rounds(AGREES));
  const proxy = await startProxy(Number(new URL(server.url).port));
  try {
    const env = networkVariables({ ...PLAIN, proxy: proxy.url }, {});
    const { state } = await triageWith("http://models.invalid/v1", env);
    assert.deepEqual(
      state.rounds.map(({ kind }) => kind),
      ["counted", "counted", "counted"],
    );
    assert.ok(
      proxy.asked.length > 0 && proxy.asked.every((name) => /^models\.invalid(:80)?$/.test(name)),
      proxy.asked.join(),
    );
  } finally {
    proxy.close();
    await server.close();
  }
});

test("a server on this machine is never asked through the proxy, and with proxySupport off nobody is", async () => {
  const server = await startScriptedServer(rounds(AGREES));
  const proxy = await startProxy(Number(new URL(server.url).port));
  try {
    const local = await triageWith(server.url, networkVariables({ ...PLAIN, proxy: proxy.url }, {}));
    assert.deepEqual(
      local.state.rounds.map(({ kind }) => kind),
      ["counted", "counted", "counted"],
    );
    const off = networkVariables({ ...PLAIN, proxy: proxy.url, proxySupport: "off" }, {});
    const { why } = await triageWith("http://models.invalid/v1", off);
    assert.match(why, /host name/);
    assert.deepEqual(proxy.asked, []);
  } finally {
    proxy.close();
    await server.close();
  }
});

/** A certificate for 127.0.0.1 signed by itself; null where there is no openssl. */
async function selfSigned(folder: string): Promise<{ key: string; cert: string; file: string } | null> {
  const [key, file] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const args = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    file,
    ...subject,
  ];
  try {
    execFileSync("openssl", args, { stdio: "ignore" });
  } catch {
    return null;
  }
  return { key: await readFile(key, "utf8"), cert: await readFile(file, "utf8"), file };
}

test("extra certificates of the environment hold in the worker, and without them the reason says what to do", async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "triage-cert-"));
  const made = await selfSigned(folder);
  if (made === null) {
    await rm(folder, { recursive: true, force: true });
    return t.skip("there is no openssl to make a certificate with");
  }
  const server = await startScriptedServer(rounds(AGREES));
  const secure = tls.createServer({ key: made.key, cert: made.cert }, (socket) => {
    const onwards = net.connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.pipe(onwards).pipe(socket);
    for (const end of [onwards, socket]) end.on("error", () => (onwards.destroy(), socket.destroy()));
  });
  try {
    const url = `https://127.0.0.1:${await listening(secure)}/v1`;
    const network = networkVariables(PLAIN, {});
    const trusting = await triageWith(url, { ...network, NODE_EXTRA_CA_CERTS: made.file });
    assert.deepEqual(
      trusting.state.rounds.map(({ kind }) => kind),
      ["counted", "counted", "counted"],
    );
    const { why } = await triageWith(url, { ...network, NODE_EXTRA_CA_CERTS: undefined });
    assert.match(why, /signed by itself.*NODE_EXTRA_CA_CERTS/);
  } finally {
    secure.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});

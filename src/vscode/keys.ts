import * as vscode from "vscode";
import type { KeyChangedParams } from "../protocol/worker.ts";
import { keyChanged } from "../protocol/worker.ts";
import { SECTION } from "./contributions.ts";
import { originOf } from "./origin.ts";
import type { Asker } from "./asker.ts";

const PREFIX = "serverKey:";
const ORIGINS = "serverKeyOrigins";

export interface KeyPorts {
  readonly secrets: vscode.SecretStorage;
  readonly state: vscode.Memento;
  readonly ask: Asker;
  tell(method: string, params: unknown): Promise<void>;
}

/** Keys of model servers: in the editor's secret storage, each bound to the origin it was entered for (ruling 31). */
export class ServerKeys {
  readonly #ports: KeyPorts;

  constructor(ports: KeyPorts) {
    this.#ports = ports;
  }

  /** Sends the keys of the configured servers, and of no others, to the worker. */
  async send(tell: (method: string, params: unknown) => Promise<void>): Promise<void> {
    for (const origin of configuredOrigins()) {
      const key = (await this.#ports.secrets.get(PREFIX + origin)) ?? null;
      await tell(keyChanged, { origin, key } satisfies KeyChangedParams);
    }
  }

  /** Whether a key is stored for an origin; where one is, the worker is told, since the server may not be configured yet. */
  async has(origin: string): Promise<boolean> {
    const key = await this.#ports.secrets.get(PREFIX + origin);
    if (key !== undefined) await this.#ports.tell(keyChanged, { origin, key } satisfies KeyChangedParams);
    return key !== undefined;
  }

  /** Stores a key for an origin, and tells the worker. */
  async store(origin: string, key: string): Promise<void> {
    await this.#ports.secrets.store(PREFIX + origin, key);
    await this.#ports.state.update(ORIGINS, [...new Set([...this.#origins(), origin])]);
    await this.#ports.tell(keyChanged, { origin, key } satisfies KeyChangedParams);
  }

  /** Asks for a server where none is configured, then for its key. */
  async set(): Promise<void> {
    const { ask } = this.#ports;
    const origin = configuredOrigin() ?? (await this.#askOrigin());
    if (origin === null) return;
    const key = await ask.input({
      title: `Key for ${origin}`,
      prompt: `It is stored in the editor's secret storage and sent to ${origin} only.`,
      password: true,
      problem: (text) => (text.trim() === "" ? "Enter the key, or press Escape to keep things as they are." : null),
    });
    if (key === undefined) return;
    await this.store(origin, key.trim());
    ask.say(`The key for ${origin} is stored.`);
  }

  /** Deletes a stored key; with several, asks which one. */
  async delete(): Promise<void> {
    const { ask } = this.#ports;
    const origins = this.#origins();
    if (origins.length === 0) return ask.say("No key is stored.");
    const origin = await ask.pick(
      origins.map((label) => ({ label, value: label })),
      "Delete the stored key of which server?",
    );
    if (origin === undefined) return;
    await this.#ports.secrets.delete(PREFIX + origin);
    await this.#ports.state.update(
      ORIGINS,
      origins.filter((other) => other !== origin),
    );
    await this.#ports.tell(keyChanged, { origin, key: null } satisfies KeyChangedParams);
    ask.say(`The key for ${origin} is deleted.`);
  }

  #origins(): readonly string[] {
    return this.#ports.state.get<readonly string[]>(ORIGINS, []);
  }

  async #askOrigin(): Promise<string | null> {
    const address = await this.#ports.ask.input({
      title: "Address of the model server",
      prompt:
        "Base address of an OpenAI-compatible server, for example https://api.openai.com/v1. It is stored in your settings.",
      password: false,
      problem: (text) => (originOf(text.trim()) === null ? "An address that starts with http:// or https://" : null),
    });
    if (address === undefined) return null;
    const section = vscode.workspace.getConfiguration(SECTION);
    await section.update("serverUrl", address.trim(), vscode.ConfigurationTarget.Global);
    return originOf(address.trim());
  }
}

function configuredOrigin(): string | null {
  return originOf(vscode.workspace.getConfiguration(SECTION).get<string>("serverUrl", "").trim());
}

/** Origins of the server and of those that single roles have for themselves. */
function configuredOrigins(): readonly string[] {
  const roles = vscode.workspace.getConfiguration(SECTION).get<unknown>("roles");
  const urls = typeof roles === "object" && roles !== null ? Object.values(roles).map(urlOf) : [];
  return [...new Set([configuredOrigin(), ...urls.map(originOf)])].filter((origin) => origin !== null);
}

function urlOf(role: unknown): string {
  const url = typeof role === "object" && role !== null && "serverUrl" in role ? role.serverUrl : "";
  return typeof url === "string" ? url.trim() : "";
}

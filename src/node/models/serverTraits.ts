import * as z from "zod";
import { OPTIONAL_MEMBERS } from "./requestBody.ts";

/** What is known about one model of one server. null: not tried yet. */
export const ServerTraits = z.object({
  /** Answers are held to a JSON schema. */
  schema: z.boolean().nullable(),
  /** Functions are called. */
  functions: z.boolean().nullable(),
  dropped: z.array(z.enum(OPTIONAL_MEMBERS)).readonly(),
});
export type ServerTraits = Readonly<z.output<typeof ServerTraits>>;

/** Keeps what was learnt about servers, by base URL and model; a `Map` will do, a file may. */
export interface ProbeCache {
  get(key: string): ServerTraits | undefined;
  set(key: string, traits: ServerTraits): unknown;
}

/** The traits of one server. */
export interface TraitStore {
  get(): ServerTraits;
  set(traits: ServerTraits): void;
}

export const UNKNOWN_TRAITS: ServerTraits = { schema: null, functions: null, dropped: [] };

/** Opens the cache for one model of one server. */
export function traitStore(cache: ProbeCache, baseUrl: string, model: string): TraitStore {
  const key = `${baseUrl} ${model}`;
  return { get: () => cache.get(key) ?? UNKNOWN_TRAITS, set: (traits) => void cache.set(key, traits) };
}

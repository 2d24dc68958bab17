// Messages by which a model is set up. None of them carries anything of a workspace.

/** Client -> worker request, only after a person chose to look: which model servers answer on the usual ports of this machine. */
export const findLocalServers = "skepticalTriage/findLocalServers";
export interface FindLocalServersResult {
  readonly servers: readonly LocalServer[];
}
/** A server that listed its models. */
export interface LocalServer {
  /** What usually listens on that port: "Ollama". */
  readonly name: string;
  readonly url: string;
  readonly models: readonly string[];
}

/** Client -> worker request, while a model is set up: the models of a server, with the key that was sent for its origin. */
export const listServerModels = "skepticalTriage/listServerModels";
export interface ListServerModelsParams {
  readonly url: string;
}
export type ListServerModelsResult =
  /** `url` is the address that answered: where the given one did not, the same with `/v1`. */
  | { readonly kind: "listed"; readonly url: string; readonly models: readonly string[] }
  /** `unlisted`: it answers but does not list its models. */
  | { readonly kind: "unlisted"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

/** Client -> worker request, after a person chose a model: asks it one question that holds nothing of the workspace. */
export const testModel = "skepticalTriage/testModel";
export type TestModelParams =
  | { readonly serverUrl: string; readonly serverModel: string }
  /** `vendor/id` */
  | { readonly editorModel: string };
export type TestModelResult =
  /** What it can do, in sentences. */
  | { readonly kind: "works"; readonly words: readonly string[] }
  /** What is wrong, and what to do next. */
  | { readonly kind: "fails"; readonly why: string };

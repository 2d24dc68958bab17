/** What the editor is set to for its own connections. */
export interface NetworkSettings {
  /** `http.proxy`; empty where none is set. */
  readonly proxy: string;
  /** `http.proxySupport`; `off` means that no proxy is used, whatever else is set. */
  readonly proxySupport: string;
  /** `http.noProxy`. */
  readonly noProxy: readonly string[];
  /** `http.systemCertificates`. */
  readonly systemCertificates: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Never through a proxy, as in the editor itself: local model servers. */
const LOOPBACK = ["localhost", "127.0.0.1", "::1"];

/**
 * Variables of the worker's environment that make its connections take the editor's way: Node reads none of them by itself. A
 * value of undefined takes a variable out. NODE_EXTRA_CA_CERTS is inherited and left alone.
 */
export function networkVariables(settings: NetworkSettings, environment: Environment): Environment {
  return { ...proxyVariables(settings, environment), ...certificateVariables(settings, environment) };
}

function proxyVariables({ proxy, proxySupport, noProxy }: NetworkSettings, environment: Environment): Environment {
  if (proxySupport === "off") return { NODE_USE_ENV_PROXY: undefined };
  const of = (name: string): string | undefined => environment[name.toLowerCase()] ?? environment[name];
  const set = proxy.trim();
  const [http, https] = set === "" ? [of("HTTP_PROXY"), of("HTTPS_PROXY")] : [set, set];
  if (!http && !https) return { NODE_USE_ENV_PROXY: undefined };
  const without = noProxy.length > 0 ? noProxy : (of("NO_PROXY") ?? "").split(",");
  const excepted = [...new Set([...without, ...LOOPBACK].map((host) => host.trim()))].filter((host) => host !== "");
  return {
    NODE_USE_ENV_PROXY: "1",
    ...bothSpellings("HTTP_PROXY", http),
    ...bothSpellings("HTTPS_PROXY", https),
    ...bothSpellings("NO_PROXY", excepted.join(",")),
  };
}

/** Node prefers the small spelling, which may stand in the environment with another value. */
function bothSpellings(name: string, value: string | undefined): Environment {
  return { [name]: value, [name.toLowerCase()]: value };
}

/** The variable instead of `--use-system-ca`: an Electron that does not know it goes on, where an unknown flag would end it. */
function certificateVariables({ systemCertificates }: NetworkSettings, environment: Environment): Environment {
  return { NODE_USE_SYSTEM_CA: systemCertificates ? "1" : environment["NODE_USE_SYSTEM_CA"] };
}

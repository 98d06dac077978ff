import { type Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { type Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { isOfRegistry, registryCredential, type TokenRegistry } from "../../../domain/access/registry.ts";
import { addressOf, INTERNET, type Outside } from "./outside.ts";

/** What a registry is asked, and by which ways. */
export interface RegistryRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Abandons the request. */
  readonly signal: AbortSignal;
  readonly privateHosts: readonly string[];
  readonly outside?: Pick<Outside, "addresses">;
  /** Connections that are kept for further requests; without them each request makes its own. */
  readonly agents?: RegistryAgents | undefined;
}

export interface RegistryAgents {
  readonly http: Agent;
  readonly https: HttpsAgent;
}

const MOST_REDIRECTS = 5;
/** How long a registry may keep silent, before its answer and within it. */
const SILENT_MS = 60_000;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Asks a registry with its token, and follows its redirects: within the registry's own path with the token, anywhere
 * else without it, by HTTPS or to a private host that is permitted. Throws `PrivateNetwork`, and an error for what cannot be reached or followed.
 */
export async function askRegistry(registry: TokenRegistry, asked: RegistryRequest): Promise<IncomingMessage> {
  let { url } = asked;
  // Once a redirect has led elsewhere, whoever is there chooses the next one.
  let ours = true;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    ours &&= isOfRegistry(registry, url);
    const { protocol, hostname } = new URL(url);
    if (!ours && protocol !== "https:" && !(protocol === "http:" && asked.privateHosts.includes(hostname)))
      throw new Error("it redirects to an address without HTTPS");
    const credential = ours ? { authorization: registryCredential(registry.kind, registry.token) } : {};
    const answer = await ask({ ...asked, url, headers: { ...asked.headers, ...credential } });
    const to = REDIRECTS.includes(answer.statusCode ?? 0) ? answer.headers.location : undefined;
    if (to === undefined) return answer;
    answer.destroy();
    const next = URL.parse(to, url);
    if (next === null) throw new Error("it redirects to no address");
    next.hash = "";
    url = next.href;
  }
  throw new Error(`it redirects more than ${MOST_REDIRECTS} times`);
}

async function ask(asked: RegistryRequest): Promise<IncomingMessage> {
  const { method, headers, signal, outside = INTERNET, privateHosts, agents } = asked;
  const url = new URL(asked.url);
  const address = await addressOf(url.hostname, outside, privateHosts);
  const options = {
    method,
    signal,
    // The address that was checked, whatever the name means a moment later. The certificate must be the name's.
    host: address,
    ...(isIP(url.hostname) === 0 ? { servername: url.hostname } : {}),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host },
  };
  return new Promise((resolve, reject) => {
    const sent =
      url.protocol === "https:"
        ? requestHttps({ ...options, agent: agents?.https ?? false })
        : requestHttp({ ...options, agent: agents?.http ?? false });
    sent.setTimeout(SILENT_MS, () => sent.destroy(new Error(`it keeps silent for ${SILENT_MS / 1000} s`)));
    sent.once("response", resolve);
    sent.on("error", reject);
    sent.end();
  });
}

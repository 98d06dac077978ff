import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type Duplex, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import {
  registryRewrites,
  registrySecrets,
  type TokenRegistry,
  upstreamUrl,
} from "../../../domain/access/registry.ts";
import {
  privateHostText,
  registryRefusalText,
  registryUnreachableText,
} from "../../../domain/access/registry-texts.ts";
import { messageOf } from "../../../domain/kernel/errors.ts";
import { refuseSocket } from "../../../http/refuse-socket.ts";
import { askRegistry, type RegistryAgents } from "./ask-registry.ts";
import { type Outside, PrivateNetwork } from "./outside.ts";
import { rewrittenText } from "./rewritten-text.ts";

/** What a gateway needs besides its registry. */
export interface GatewayHost {
  /** The place of the registry in the list, which decides its address inside. */
  readonly at: number;
  readonly privateHosts: readonly string[];
  readonly outside?: Outside | undefined;
  /** The most bytes of one answer. */
  readonly mostBytes?: number | undefined;
  /** Called with a sentence for people where the registry does not give what was asked for. */
  readonly refused: (why: string) => void;
}

const MOST_CONNECTIONS = 64;
const MOST_BYTES = 2 ** 31;

/**
 * Headers of a request that a registry needs; no other is passed on. A range neither: a token in an answer is found
 * only where the answer is whole.
 */
const ASKED = ["accept", "if-modified-since", "if-none-match", "user-agent"];
/** Headers of an answer that tools need; no other is passed on. */
const ANSWERED = [
  "cache-control",
  "content-encoding",
  "content-length",
  "content-type",
  "etag",
  "last-modified",
  "retry-after",
];

/** Texts, whose length may change. */
const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|html)\b)/;

/**
 * Creates the server behind one registry's address inside a sandbox. It reads and never writes, stays below the
 * registry's path, adds the token, and lets no error's text and no token through.
 */
export function createRegistryGateway(registry: TokenRegistry, host: GatewayHost): Server {
  const agents = {
    http: new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: MOST_CONNECTIONS }),
  };
  const asked = new WeakSet();
  const server = createServer({ maxHeaderSize: 8192 }, (request, response) => {
    // One read of Node can hold thousands of requests; only one per connection is answered.
    if (asked.has(request.socket)) return;
    asked.add(request.socket);
    response.setHeader("connection", "close");
    // A tool that leaves in the middle is not an error of ours.
    for (const side of [request, response]) side.on("error", () => side.destroy());
    void forward(registry, host, { request, response, agents });
  });
  // Without a listener Node drops CONNECT without an answer.
  server.on("connect", (_, client: Duplex) => refuseSocket(client, "405 Method Not Allowed"));
  server.maxConnections = MOST_CONNECTIONS;
  server.on("close", () => {
    for (const agent of Object.values(agents)) agent.destroy();
  });
  return server;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly agents: RegistryAgents;
}

async function forward(registry: TokenRegistry, host: GatewayHost, exchange: Exchange): Promise<void> {
  const { request, response, agents } = exchange;
  const method = request.method ?? "";
  const url = upstreamUrl(registry, request.url ?? "");
  if (method !== "GET" && method !== "HEAD")
    return answer(response, 405, "Flotilla only reads from this registry.");
  if (url === null) return answer(response, 400, "This is no path of the registry.");
  const left = new AbortController();
  response.once("close", () => left.abort());
  try {
    const headers = { ...chosen(request.headers, ASKED), "accept-encoding": "identity" };
    const { privateHosts, outside } = host;
    const given = await askRegistry(registry, {
      method,
      url,
      headers,
      signal: left.signal,
      privateHosts,
      agents,
      ...(outside === undefined ? {} : { outside }),
    });
    await pass(registry, host, exchange, given);
  } catch (error) {
    if (isOfLeaving(error)) return;
    const why =
      error instanceof PrivateNetwork
        ? privateHostText(error.host)
        : registryUnreachableText(registry, messageOf(error));
    host.refused(why);
    if (response.headersSent) response.destroy();
    else answer(response, error instanceof PrivateNetwork ? 403 : 502, why);
  }
}

/** Returns true for an error that follows from a tool that no longer waits for its answer. */
function isOfLeaving(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ABORT_ERR" || code === "ERR_STREAM_PREMATURE_CLOSE";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

async function pass(
  registry: TokenRegistry,
  host: GatewayHost,
  { request, response }: Exchange,
  given: IncomingMessage,
): Promise<void> {
  const status = given.statusCode ?? 502;
  if (status >= 400) {
    given.destroy();
    const why = registryRefusalText(registry, status);
    if (why !== null) host.refused(why);
    // Tools ask for a password after a 401, or say that theirs is wrong; here, nobody has one.
    return answer(response, status === 401 ? 403 : status, why ?? `The registry answers ${status}.`);
  }
  const secrets = registrySecrets(registry);
  const headers = Object.fromEntries(
    Object.entries(chosen(given.headers, ANSWERED)).filter(
      ([, value]) => !secrets.some((secret) => value.includes(secret)),
    ),
  );
  const type = given.headers["content-type"] ?? "";
  const addresses = registryRewrites(registry, host.at, {
    target: request.url ?? "",
    userAgent: request.headers["user-agent"] ?? "",
    contentType: type,
  });
  const isText = addresses.length > 0 || TEXT.test(type);
  if (isText) for (const name of ["content-length", "content-encoding"]) delete headers[name];
  response.writeHead(status, headers);
  if (request.method === "HEAD" || status === 304) {
    given.destroy();
    response.end();
    return;
  }
  const unpacked = isText && given.headers["content-encoding"] === "gzip" ? [createGunzip()] : [];
  // Anything else keeps its length, which the registry has told.
  const redacted = secrets.map(
    (secret) => [secret, isText ? "[redacted]" : "*".repeat(secret.length)] as const,
  );
  const rewritten = rewrittenText([...redacted, ...addresses]);
  const bounded = atMost(host.mostBytes ?? MOST_BYTES);
  try {
    await pipeline([given, bounded, ...unpacked, rewritten, response]);
  } catch (error) {
    throw codeOf(error) === "ECONNRESET" ? new Error("it ended in the middle of an answer") : error;
  }
}

function atMost(bytes: number): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      left -= chunk.length;
      if (left < 0) done(new Error(`it answers more than ${bytes} bytes`));
      else done(null, chunk);
    },
  });
}

/** The text is the status line's and the body's, since tools show the one or the other. */
function answer(response: ServerResponse, status: number, text: string): void {
  const type = { "content-type": "application/json" };
  // An answer's reason takes no other characters.
  const reason = text.replaceAll(/[^\x20-\x7e]/g, "?");
  response.writeHead(status, reason, type).end(`${JSON.stringify({ error: text })}\n`);
}

function chosen(headers: IncomingMessage["headers"], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isHostName } from "../../../domain/access/host-name.ts";
import { refuseSocket } from "../../../http/refuse-socket.ts";
import { addressOf, INTERNET, type Outside, PrivateNetwork } from "./outside.ts";

interface Asked {
  readonly target: string;
  readonly allowed: boolean;
  /** The allowed host that led into a private network; null where that was not the reason. */
  readonly privateHost: string | null;
}

/** Called for each requested tunnel, and again where an allowed one leads into a private network. */
type OnAsked = (asked: Asked) => void;

const CONNECT_MS = 30_000;
const SHOWN = 200;
/**
 * Maximum connections of one proxy. Agents share the proxies of their hosts; each tunnel uses two of our file
 * descriptors.
 */
const MOST_CONNECTIONS = 512;
/** A tunnel is closed after this long without data. */
const IDLE_MS = 10 * 60_000;

/**
 * Creates a proxy that only opens tunnels to port 443 of the allowed hosts, by name. It resolves the name itself,
 * refuses private addresses but of `privateHosts`, and connects to the address that it has checked. It cannot see the
 * data in a tunnel.
 */
export function createEgressProxy(
  allowed: readonly string[],
  asked: OnAsked,
  {
    outside = INTERNET,
    privateHosts = [],
  }: { readonly outside?: Outside; readonly privateHosts?: readonly string[] } = {},
): Server {
  const refused = new WeakSet<Socket>();
  const server = createServer({ maxHeaderSize: 8192 }, (request, response) => {
    // One read of Node can hold thousands of requests; only one per connection is answered and reported.
    if (refused.has(request.socket)) return;
    refused.add(request.socket);
    asked({ target: `${request.method} ${request.url}`.slice(0, SHOWN), allowed: false, privateHost: null });
    response.writeHead(403, { connection: "close" }).end("Only CONNECT to an allowed host, port 443.\n");
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connect", (request, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy());
    const target = request.url ?? "";
    const host = askedHost(target, allowed);
    asked({ target: target.slice(0, SHOWN), allowed: host !== null, privateHost: null });
    if (host === null) return refuseSocket(client, "403 Forbidden");
    void open(host, outside, privateHosts).then(
      (upstream) => join(client, upstream, head),
      (error: unknown) => {
        if (!(error instanceof PrivateNetwork)) return refuseSocket(client, "502 Bad Gateway");
        asked({ target: target.slice(0, SHOWN), allowed: false, privateHost: error.host });
        refuseSocket(client, "403 Forbidden");
      },
    );
  });
  // Without this listener `Upgrade` requests would reach the other handler with their socket.
  server.on("upgrade", (_, client: Duplex) => refuseSocket(client, "403 Forbidden"));
  return server;
}

/** Throws `PrivateNetwork`. */
async function open(host: string, outside: Outside, privateHosts: readonly string[]): Promise<Socket> {
  const upstream = outside.connect(await addressOf(host, outside, privateHosts), 443);
  return new Promise((resolve, reject) => {
    upstream.setTimeout(CONNECT_MS, () => upstream.destroy(new Error(`${host} does not answer`)));
    upstream.on("error", reject);
    upstream.once("connect", () => {
      upstream.setTimeout(IDLE_MS);
      resolve(upstream);
    });
  });
}

function join(client: Duplex, upstream: Socket, head: Buffer): void {
  upstream.on("error", () => upstream.destroy());
  client.on("close", () => upstream.destroy());
  upstream.on("close", () => client.destroy());
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  upstream.write(head);
  client.pipe(upstream).pipe(client);
}

/**
 * Returns the host that a CONNECT requests; null unless it is `name:443` with a listed name, ignoring case. Compares
 * the whole text: nothing is decoded, trimmed or resolved first.
 */
function askedHost(target: string, allowed: readonly string[]): string | null {
  const name = /^([A-Za-z\d.-]+):443$/.exec(target)?.[1]?.toLowerCase();
  return name !== undefined && isHostName(name) && allowed.includes(name) ? name : null;
}

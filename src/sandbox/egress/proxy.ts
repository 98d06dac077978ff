import { lookup as lookUp } from "node:dns/promises";
import { createServer, type Server } from "node:http";
import { connect as connectTo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { refuseSocket } from "../../server/refuse-socket.ts";
import { askedHost } from "./asked-host.ts";
import { isPublicAddress } from "./public-address.ts";

/** What a proxy uses of the outside; the product's own where left out. */
export interface Outside {
  /** Addresses of a name, as numbers. */
  readonly addresses: (name: string) => Promise<readonly string[]>;
  readonly connect: (address: string, port: number) => Socket;
}

const INTERNET: Outside = {
  addresses: async (name) => (await lookUp(name, { all: true })).map(({ address }) => address),
  connect: (address, port) => connectTo({ host: address, port }),
};

/** Told of each tunnel that is asked for. */
type OnAsked = (asked: { readonly target: string; readonly allowed: boolean }) => void;

const CONNECT_MS = 30_000;
const SHOWN = 200;
/** Connections of one proxy. Agents share the proxies of their hosts; each tunnel holds two files of ours. */
const MOST_CONNECTIONS = 512;
/** Between the bytes of a tunnel; then it is ended. */
const IDLE_MS = 10 * 60_000;

/**
 * A proxy that opens tunnels to port 443 of the allowed hosts, by name, and does nothing else. The addresses of a name
 * are looked at here, and one that was looked at is connected to: none in a private network. What goes through a
 * tunnel is not seen.
 */
export function createEgressProxy(
  allowed: readonly string[],
  asked: OnAsked,
  outside: Outside = INTERNET,
): Server {
  const refused = new WeakSet<Socket>();
  const server = createServer({ maxHeaderSize: 8192 }, (request, response) => {
    // Thousands of requests fit in what Node reads at once: one of a connection is answered and reported.
    if (refused.has(request.socket)) return;
    refused.add(request.socket);
    asked({ target: `${request.method} ${request.url}`.slice(0, SHOWN), allowed: false });
    response.writeHead(403, { connection: "close" }).end("Only CONNECT to an allowed host, port 443.\n");
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connect", (request, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy());
    const target = request.url ?? "";
    const host = askedHost(target, allowed);
    asked({ target: target.slice(0, SHOWN), allowed: host !== null });
    if (host === null) return refuseSocket(client, "403 Forbidden");
    void open(host, outside).then(
      (upstream) =>
        upstream === null ? refuseSocket(client, "403 Forbidden") : join(client, upstream, head),
      () => refuseSocket(client, "502 Bad Gateway"),
    );
  });
  // `Upgrade` would else reach the other handler with its socket.
  server.on("upgrade", (_, client: Duplex) => refuseSocket(client, "403 Forbidden"));
  return server;
}

/** Null when the name leads into a private network; one such address is enough. */
async function open(host: string, { addresses, connect }: Outside): Promise<Socket | null> {
  const found = await addresses(host);
  const [first] = found;
  if (first === undefined) throw new Error(`${host} has no address`);
  if (!found.every(isPublicAddress)) return null;
  const upstream = connect(first, 443);
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

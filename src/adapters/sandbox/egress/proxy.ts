import { lookup as lookUp } from "node:dns/promises";
import { createServer, type Server } from "node:http";
import { BlockList, connect as connectTo, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isHostName } from "../../../domain/access/host-name.ts";
import { refuseSocket } from "../../../http/refuse-socket.ts";

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

/**
 * The host that a CONNECT asks for; null when it is not `name:443` with a name of the list, in letters of any case.
 * Compared as a whole: nothing is decoded, trimmed or resolved before.
 */
function askedHost(target: string, allowed: readonly string[]): string | null {
  const name = /^([A-Za-z\d.-]+):443$/.exec(target)?.[1]?.toLowerCase();
  return name !== undefined && isHostName(name) && allowed.includes(name) ? name : null;
}

/** Addresses that are nobody's on the internet, or that lead back into this machine or its network. */
const REFUSED_4 = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
];
/** Those that carry an IPv4 address in them among them: it could be any. Public ones all begin with 2 or 3. */
const REFUSED_6 = ["::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20"];

/** One for each family: Node takes an IPv4 address for its IPv6 form, too. */
const LISTS = { 4: listOf("ipv4", REFUSED_4), 6: listOf("ipv6", REFUSED_6) };

/** True for an address of the internet, written as numbers. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !LISTS[4].check(address, "ipv4");
  return family === 6 && !LISTS[6].check(address, "ipv6");
}

function listOf(family: "ipv4" | "ipv6", lines: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of lines.flatMap((line) => line.split(" "))) {
    const [net = "", prefix] = range.split("/");
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

import { lookup as lookUp } from "node:dns/promises";
import { createServer, type Server } from "node:http";
import { BlockList, connect as connectTo, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isHostName } from "../../../domain/access/host-name.ts";
import { refuseSocket } from "../../../http/refuse-socket.ts";

/** The network access of a proxy. Default: the real one. */
export interface Outside {
  /** Returns the IP addresses of a name. */
  readonly addresses: (name: string) => Promise<readonly string[]>;
  readonly connect: (address: string, port: number) => Socket;
}

const INTERNET: Outside = {
  addresses: async (name) => (await lookUp(name, { all: true })).map(({ address }) => address),
  connect: (address, port) => connectTo({ host: address, port }),
};

/** Called for each requested tunnel. */
type OnAsked = (asked: { readonly target: string; readonly allowed: boolean }) => void;

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
 * refuses private addresses, and connects to the address that it has checked. It cannot see the data in a tunnel.
 */
export function createEgressProxy(
  allowed: readonly string[],
  asked: OnAsked,
  outside: Outside = INTERNET,
): Server {
  const refused = new WeakSet<Socket>();
  const server = createServer({ maxHeaderSize: 8192 }, (request, response) => {
    // One read of Node can hold thousands of requests; only one per connection is answered and reported.
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
  // Without this listener `Upgrade` requests would reach the other handler with their socket.
  server.on("upgrade", (_, client: Duplex) => refuseSocket(client, "403 Forbidden"));
  return server;
}

/** Returns null if the name resolves to a private network; one such address is enough. */
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
 * Returns the host that a CONNECT requests; null unless it is `name:443` with a listed name, ignoring case. Compares
 * the whole text: nothing is decoded, trimmed or resolved first.
 */
function askedHost(target: string, allowed: readonly string[]): string | null {
  const name = /^([A-Za-z\d.-]+):443$/.exec(target)?.[1]?.toLowerCase();
  return name !== undefined && isHostName(name) && allowed.includes(name) ? name : null;
}

/** Addresses that are not public, or that lead back to this machine or its network. */
const REFUSED_4 = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
];
/** Includes addresses that embed an IPv4 address, which could be any. Public addresses all begin with 2 or 3. */
const REFUSED_6 = ["::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20"];

/** One list per family: Node also matches the IPv6 form of an IPv4 address. */
const LISTS = { 4: listOf("ipv4", REFUSED_4), 6: listOf("ipv6", REFUSED_6) };

/** Returns whether a numeric address is public. */
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

import { lookup as lookUp } from "node:dns/promises";
import { BlockList, connect as connectTo, isIP, type Socket } from "node:net";

/** The network access of a proxy. Default: the real one. */
export interface Outside {
  /** Returns the IP addresses of a name. */
  readonly addresses: (name: string) => Promise<readonly string[]>;
  readonly connect: (address: string, port: number) => Socket;
}

export const INTERNET: Outside = {
  addresses: async (name) => (await lookUp(name, { all: true })).map(({ address }) => address),
  connect: (address, port) => connectTo({ host: address, port }),
};

/** A name leads into a private network, and the operator has not permitted that. */
export class PrivateNetwork extends Error {
  readonly host: string;

  constructor(host: string) {
    super(`${host} leads into a private network`);
    this.host = host;
  }
}

/**
 * Returns the address to connect to for a host. Throws `PrivateNetwork` for a name that is not among `privateHosts` and
 * has an address that is not public; one is enough.
 */
export async function addressOf(
  host: string,
  { addresses }: Pick<Outside, "addresses">,
  privateHosts: readonly string[],
): Promise<string> {
  const found = await addresses(host);
  const [first] = found;
  if (first === undefined) throw new Error(`${host} has no address`);
  if (!privateHosts.includes(host) && !found.every(isPublicAddress)) throw new PrivateNetwork(host);
  return first;
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

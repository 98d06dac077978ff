import { BlockList, isIP } from "node:net";

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

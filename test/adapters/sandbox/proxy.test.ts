import { existsSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEgress, type Egress } from "../../../src/adapters/sandbox/egress/egress.ts";
import { isPublicAddress } from "../../../src/adapters/sandbox/egress/outside.ts";
import { sendTo } from "./send-to.ts";

const ALLOWED = ["registry.example.org", "xn--bcher-kva.example", "inner.example.org"];
const reach = (hosts: readonly string[]) => ({ hosts, registries: false });

/** What names mean in these tests. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "registry.example.org": ["93.184.215.14"],
  "inner.example.org": ["10.0.0.8"],
  "xn--bcher-kva.example": ["93.184.215.14", "10.0.0.7"],
  "gone.example.org": [],
};

/** What an allowed host answers, in place of TLS. */
const HELLO = "hello from the registry";

describe("the proxy of a sandbox", () => {
  let upstream: Server;
  let egress: Egress;
  let socket: string;
  const connected: string[] = [];
  const logged: string[] = [];
  const note = (fields: object) => void logged.push(JSON.stringify(fields));

  beforeAll(async () => {
    upstream = createServer((client) => client.end(HELLO));
    await new Promise<void>((resolve) => {
      upstream.listen(0, "127.0.0.1", resolve);
    });
    const address = upstream.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    egress = createEgress(
      { debug: () => undefined, info: note, warn: note, error: note },
      {
        privateHosts: ["inner.example.org"],
        outside: {
          addresses: (name) => Promise.resolve(ADDRESSES[name] ?? []),
          connect(to, asked) {
            connected.push(`${to}:${asked}`);
            return connect(port, "127.0.0.1");
          },
        },
      },
    );
    socket = `${await egress.directoryFor(reach(ALLOWED))}/proxy.sock`;
  });
  afterAll(async () => {
    await egress.close();
    upstream.close();
  });

  const ask = (text: string) => sendTo(socket, text);

  test("reports one of the requests that come at once on a connection", async () => {
    logged.length = 0;
    const answer = await ask("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1000));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(logged.filter((line) => line.includes("/flood"))).toHaveLength(1);
  });

  test.each(["registry.example.org:443", "REGISTRY.Example.ORG:443"])(
    "opens a tunnel to %s",
    async (target) => {
      connected.length = 0;
      const answer = await ask(`CONNECT ${target} HTTP/1.1\r\nHost: evil.example\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toContain(HELLO);
      expect(connected).toEqual(["93.184.215.14:443"]);
    },
  );

  test.each([
    "evil.example.org:443",
    "sub.registry.example.org:443",
    "registry.example.org.evil.org:443",
    "evilregistry.example.org:443",
    "registry.example.org:80",
    "registry.example.org:22",
    "registry.example.org",
    "registry.example.org:0443",
    "registry.example.org:443:443",
    "registry.example.org.:443",
    ".registry.example.org:443",
    "user@registry.example.org:443",
    "registry.example.org@evil.org:443",
    "registry.example.org#evil.org:443",
    "registry.example.org/../evil.org:443",
    "registry%2eexample.org:443",
    "registry.example.org%00.evil.org:443",
    "rеgistry.example.org:443",
    "registry。example。org:443",
    "*:443",
    "localhost:443",
    "metadata.google.internal:443",
    "127.0.0.1:443",
    "127.1:443",
    "2130706433:443",
    "0x7f.0.0.1:443",
    "0:443",
    "169.254.169.254:443",
    "93.184.215.14:443",
    "[::1]:443",
    "[::ffff:127.0.0.1]:443",
    "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:443",
    "https://registry.example.org:443",
    "",
  ])("refuses a tunnel to %j, and connects nowhere", async (target) => {
    connected.length = 0;
    const answer = await ask(`CONNECT ${target} HTTP/1.1\r\nHost: registry.example.org\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(connected).toEqual([]);
  });

  test.each([
    [
      "an absolute address",
      "GET http://registry.example.org/ HTTP/1.1\r\nHost: registry.example.org\r\n\r\n",
    ],
    ["a path", "GET / HTTP/1.1\r\nHost: registry.example.org\r\n\r\n"],
    ["an upgrade", "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"],
    ["two lines in one", "CONNECT registry.example.org:443\rX: y HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["noise", "\0\u0001\u0002 nothing\r\n\r\n"],
  ])("refuses %s", async (_, text) => {
    connected.length = 0;
    expect(await ask(text)).not.toContain(" 200 ");
    expect(connected).toEqual([]);
  });

  test("refuses an allowed name that leads into a private network, by one address of several too", async () => {
    connected.length = 0;
    expect(await ask("CONNECT xn--bcher-kva.example:443 HTTP/1.1\r\nHost: a\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 403 /,
    );
    expect(connected).toEqual([]);
  });

  test("opens a tunnel into a private network to a name that the operator permits there", async () => {
    connected.length = 0;
    expect(await ask("CONNECT inner.example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n")).toContain(HELLO);
    expect(connected).toEqual(["10.0.0.8:443"]);
  });

  test("says that a name leads into a private network, and who can permit it", async () => {
    const own = await egress.open(reach(ALLOWED));
    const asked = "CONNECT xn--bcher-kva.example:443 HTTP/1.1\r\nHost: a\r\n\r\n";
    for (const text of [asked, asked]) await sendTo(`${own.directory}/proxy.sock`, text);
    expect(own.refusedHosts()).toEqual([]);
    expect(own.refusals()).toEqual([
      "The name `xn--bcher-kva.example` leads into a private network: the operator can permit it by its name in `sandbox.private_hosts`.",
    ]);
    own.close();
  });

  test("says what was refused, so that an operator sees which host is missing", async () => {
    await ask("CONNECT pypi.org:443 HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(logged).toContain('{"target":"pypi.org:443"}');
  });

  test("a command's own way out knows which hosts it refused, each once, and is gone when it is closed", async () => {
    const [one, other] = [await egress.open(reach(ALLOWED)), await egress.open(reach(ALLOWED))];
    const path = `${one.directory}/proxy.sock`;
    for (const target of ["pypi.org:443", "PyPI.org:443", "registry.example.org:443", "10.0.0.1:443"])
      await sendTo(path, `CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await sendTo(path, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(one.refusedHosts()).toEqual(["pypi.org"]);
    expect(other.refusedHosts()).toEqual([]);
    for (let at = 0; at < 30; at += 1)
      await sendTo(path, `CONNECT h${at}.example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(one.refusedHosts()).toHaveLength(20);
    one.close();
    one.close();
    expect(existsSync(one.directory)).toBe(false);
    expect(existsSync(other.directory)).toBe(true);
    other.close();
  });

  test("each list of hosts has a way out of its own", async () => {
    const other = await egress.directoryFor(reach(["pypi.org"]));
    expect(`${other}/proxy.sock`).not.toBe(socket);
    expect(await egress.directoryFor(reach(ALLOWED.toReversed()))).toBe(
      await egress.directoryFor(reach(ALLOWED)),
    );
    const answer = await sendTo(
      `${other}/proxy.sock`,
      "CONNECT registry.example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });
});

test.each([
  "127.0.0.1",
  "10.1.2.3",
  "172.31.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",

  "224.0.0.1",
  "255.255.255.255",
  "198.18.0.1",
  "192.0.0.1",
  "::1",
  "::",
  "fe80::1",
  "fc00::1",
  "fd12::1",

  "ff02::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001:0:1::",
  "name",
  "",
])("%s is no address of the internet", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "93.184.215.14", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::200e"])(
  "%s is one",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

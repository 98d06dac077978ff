import { request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createEgress } from "../../../src/adapters/sandbox/egress/egress.ts";
import { registrySocket, type TokenRegistry } from "../../../src/domain/access/registry.ts";
import { type LocalRegistry, startRegistry } from "./a-registry.ts";
import { sendTo } from "./send-to.ts";

const TOKEN = "npm_Tq7ZxW2mR9vKc4Lb";
const ADDRESSES: Readonly<Record<string, string>> = {
  "npm.example.com": "127.0.0.1",
  "files.example.com": "127.0.0.1",
  "public.example.com": "127.0.0.1",
};

/** A way out that leads to a local registry under the name npm.example.com. */
async function aGateway(
  registry: LocalRegistry,
  given: {
    readonly token?: string;
    readonly privateHosts?: readonly string[];
    readonly kind?: TokenRegistry["kind"];
  } = {},
) {
  const lines: string[] = [];
  const { promise: warned, resolve: warn } = Promise.withResolvers<void>();
  const note = (fields: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
    if (message.startsWith("registry gave nothing")) warn();
  };
  const url = `http://npm.example.com:${registry.port}/npm/`;
  const { token = TOKEN, kind = "npm", privateHosts = ["npm.example.com", "files.example.com"] } = given;
  const egress = createEgress(
    { debug: note, info: note, warn: note, error: note },
    {
      registries: [{ kind, url, tokenEnv: "NPM_TOKEN", token }],
      privateHosts,
      mostBytes: 1000,
      outside: {
        addresses: async (name) => [ADDRESSES[name] ?? name],
        connect: () => {
          throw new Error("no tunnel is opened here");
        },
      },
    },
  );
  onTestFinished(() => egress.close());
  const way = await egress.open({ hosts: [], registries: true });
  const socket = join(way.directory, registrySocket(0));
  return { ...way, socket, lines, warned, ask: (path: string, more: Asked = {}) => ask(socket, path, more) };
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(socketPath: string, path: string, { method = "GET", headers = {} }: Asked) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    reason: string;
    headers: object;
    body: string;
  }>();
  const sent = request({ socketPath, path, method, headers, agent: false }, (answer) => {
    const { statusCode: status = 0, statusMessage: reason = "" } = answer;
    text(answer).then((body) => resolve({ status, reason, headers: answer.headers, body }), reject);
  });
  sent.on("error", reject);
  sent.end();
  return promise;
}

test("the host adds the token, and passes on neither the command's own nor what else it sends", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  registry.routes.set("/npm/left", '{"name":"left"}');
  const { ask: asked, refusals } = await aGateway(registry);
  const own = { authorization: "Bearer of-the-command", cookie: "a=b", range: "bytes=0-3" };
  const headers = { ...own, accept: "application/json" };
  expect(await asked("/npm/left", { headers })).toMatchObject({ status: 200, body: '{"name":"left"}' });
  const [seen] = registry.seen;
  expect(seen?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, accept: "application/json" });
  expect(seen?.headers).not.toHaveProperty("cookie");
  // In pieces of an answer a token would not be found.
  expect(seen?.headers).not.toHaveProperty("range");
  expect(seen?.headers.host).toBe(`npm.example.com:${registry.port}`);
  expect(refusals()).toEqual([]);
});

test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])(
  "nothing is published: %s is refused",
  async (method) => {
    const registry = await startRegistry(`Bearer ${TOKEN}`);
    const { ask: asked } = await aGateway(registry);
    expect(await asked("/npm/left", { method })).toMatchObject({ status: 405 });
    expect(registry.seen).toEqual([]);
  },
);

test("nothing beside the registry's path is asked for, and no tunnel is opened", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  const { socket } = await aGateway(registry);
  for (const target of ["/npm/../admin", "/npm/..%2fadmin", "http://npm.example.com/admin"])
    expect(await sendTo(socket, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await sendTo(socket, "CONNECT npm.example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n")).not.toMatch(
    / 200 /,
  );
  expect(registry.seen).toEqual([]);
});

test("only one of the requests that come at once on a connection is passed on", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  const { socket } = await aGateway(registry);
  const client = connect({ path: socket });
  client.write("GET /npm/left HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100));
  expect(await text(client)).toMatch(/^HTTP\/1\.1 404 /);
  expect(registry.seen).toHaveLength(1);
});

test("a redirect to another host is followed without the token, and only once left", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  const files = await startRegistry(null);
  const elsewhere = `http://files.example.com:${files.port}/left.tgz`;
  registry.routes.set("/npm/left.tgz", (to) => void to.writeHead(302, { location: elsewhere }).end());
  registry.routes.set("/npm/other", "{}");
  const back = `http://npm.example.com:${registry.port}/npm/other`;
  files.routes.set("/left.tgz", "{}");
  files.routes.set("/back", (to) => void to.writeHead(307, { location: back }).end());
  const { ask: asked } = await aGateway(registry);
  expect(await asked("/npm/left.tgz")).toMatchObject({ status: 200, body: "{}" });
  expect(files.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);

  // Whoever was asked without the token must not choose what it is used for.
  const there = `http://files.example.com:${files.port}/back`;
  registry.routes.set("/npm/left.tgz", (to) => void to.writeHead(302, { location: there }).end());
  expect(await asked("/npm/left.tgz")).toMatchObject({ status: 403 });
  expect(registry.seen.at(-1)).toMatchObject({ url: "/npm/other" });
  expect(registry.seen.at(-1)?.headers.authorization).toBeUndefined();
});

test("a redirect within the registry is followed with the token, one in a circle is given up", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  registry.routes.set("/npm/a", (to) => void to.writeHead(301, { location: "b" }).end());
  registry.routes.set("/npm/b", "{}");
  registry.routes.set("/npm/circle", (to) => void to.writeHead(301, { location: "circle" }).end());
  const { ask: asked } = await aGateway(registry);
  expect(await asked("/npm/a")).toMatchObject({ status: 200 });
  expect(await asked("/npm/circle")).toMatchObject({
    status: 502,
    body: expect.stringContaining("it redirects more than 5 times"),
  });
});

const redirectTo = (location: string) => (response: ServerResponse) =>
  void response.writeHead(302, { location }).end();

test("a redirect leads neither out without HTTPS nor into a private network", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  registry.routes.set("/npm/plain", redirectTo("http://public.example.com/x"));
  registry.routes.set("/npm/inner", redirectTo("https://public.example.com/x"));
  registry.routes.set("/npm/metadata", redirectTo("https://169.254.169.254/x"));
  const { ask: asked } = await aGateway(registry);
  expect((await asked("/npm/plain")).body).toContain("it redirects to an address without HTTPS");
  expect((await asked("/npm/inner")).body).toContain("`public.example.com` leads into a private network");
  expect((await asked("/npm/metadata")).body).toContain("`169.254.169.254` leads into a private network");
});

test("a token that is refused is told as that, to people and to the tool, without the registry's own words", async () => {
  const registry = await startRegistry("Bearer another");
  const { ask: asked, refusals, lines } = await aGateway(registry);
  const why = `The registry \`http://npm.example.com:${registry.port}/npm/\` refuses Flotilla's token (401): the operator has to put a valid one into \`NPM_TOKEN\`.`;
  const answer = await asked("/npm/left");
  await asked("/npm/right");
  // npm asks for a login after a 401.
  expect(answer).toMatchObject({ status: 403, reason: why });
  expect(JSON.parse(answer.body)).toEqual({ error: why });
  expect(refusals()).toEqual([why]);
  expect(lines.join("\n")).toContain("registry gave nothing to a sandbox");
  expect(JSON.stringify([answer, lines])).not.toContain(TOKEN);
});

test("what the token may not read, and what is not there, are told apart", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  registry.routes.set("/npm/closed", (to) => void to.writeHead(403).end(TOKEN));
  const { ask: asked, refusals } = await aGateway(registry);
  expect(await asked("/npm/gone")).toMatchObject({ status: 404 });
  expect(refusals()).toEqual([]);
  const closed = await asked("/npm/closed");
  expect(closed).toMatchObject({
    status: 403,
    body: expect.stringContaining("forbids this to Flotilla's token"),
  });
  expect(closed.body).not.toContain(TOKEN);
  expect(refusals()).toHaveLength(1);
});

test("a registry in a private network is reached by the operator's word alone", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  const { ask: asked, refusals } = await aGateway(registry, { privateHosts: ["files.example.com"] });
  expect(await asked("/npm/left")).toMatchObject({ status: 403 });
  expect(refusals()).toEqual([
    "The name `npm.example.com` leads into a private network: the operator can permit it by its name in `sandbox.private_hosts`.",
  ]);
  expect(registry.seen).toEqual([]);
});

test("a registry that is not there, or ends in the middle, is told", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  registry.routes.set("/npm/half", (to) => {
    to.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    to.write("{", () => to.destroy());
  });
  const { ask: asked, refusals, warned } = await aGateway(registry);
  await expect(asked("/npm/half")).rejects.toThrow(/aborted|hang up/);
  await warned;
  expect(refusals()).toEqual([
    expect.stringMatching(/^The registry .* cannot be reached \(it ended in the middle of an answer\)/),
  ]);
  const { ask: askNobody } = await aGateway({ ...registry, port: 1 });
  expect(await askNobody("/npm/left")).toMatchObject({
    status: 502,
    body: expect.stringContaining("ECONNREFUSED"),
  });
});

test("addresses in an index lead to the loopback address, wherever the text is cut, and a token in it is taken out", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  const upstream = `http://npm.example.com:${registry.port}/npm/`;
  const index = `{"a":"${upstream}left.tgz","b":"${upstream}","c":"é ${upstream.slice(0, -2)}","d":"${TOKEN}"}`;
  const bytes = Buffer.from(index);
  registry.routes.set("/npm/cut", (to) => {
    to.writeHead(200, { "content-type": "application/json", "content-length": String(bytes.length) });
    Readable.from([...bytes].map((byte) => Buffer.from([byte]))).pipe(to);
  });
  registry.routes.set("/npm/packed", (to) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    to.writeHead(200, headers).end(gzipSync(bytes));
  });
  const { ask: asked } = await aGateway(registry);
  const inside = "http://127.0.0.1:3129/npm/";
  const body = `{"a":"${inside}left.tgz","b":"${inside}","c":"é ${upstream.slice(0, -2)}","d":"[redacted]"}`;
  for (const path of ["/npm/cut", "/npm/packed"])
    expect(await asked(path)).toMatchObject({ status: 200, body });
  const ofNpm = await asked("/npm/cut", { headers: { "user-agent": "npm/11.0.0 node/v24" } });
  expect(ofNpm.body).toContain(`"a":"${upstream}left.tgz"`);
});

test.each([
  ["npm", TOKEN],
  ["pypi", TOKEN],
  ["generic", "ci:Xw8Lm3Pq7Rt"],
] as const)("a registry of kind %s that answers with the token gives it in no form", async (kind, token) => {
  const registry = await startRegistry(null);
  const password = token.replace(/^.*:/, "");
  const echo = (type: string | null) => (to: ServerResponse) => {
    const { authorization = "" } = to.req.headers;
    const said = Buffer.from(`${authorization} ${token} ${password} end`);
    to.setHeader("content-length", said.length);
    to.setHeader("etag", `"${authorization}"`);
    to.setHeader("last-modified", password);
    if (type !== null) to.setHeader("content-type", type);
    to.end(said);
  };
  const types = ["text/plain", "application/octet-stream", null];
  for (const [at, type] of types.entries()) registry.routes.set(`/npm/${at}`, echo(type));
  const { ask: asked } = await aGateway(registry, { kind, token });
  for (const at of types.keys()) {
    const { body, headers } = await asked(`/npm/${at}`);
    expect(body).toMatch(/ end$/);
    for (const secret of [token, password, btoa(token), btoa(`__token__:${token}`)])
      expect(`${body}${JSON.stringify(headers)}`).not.toContain(secret);
  }
});

test("an answer without an end is cut", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  registry.routes.set("/npm/most", Buffer.alloc(1000));
  registry.routes.set("/npm/more", Buffer.alloc(1001));
  const { ask: asked, refusals, warned } = await aGateway(registry);
  expect((await asked("/npm/most")).body).toHaveLength(1000);
  await expect(asked("/npm/more")).rejects.toThrow(/aborted|hang up/);
  await warned;
  expect(refusals()).toEqual([expect.stringContaining("it answers more than 1000 bytes")]);
});

test("a HEAD and an unchanged answer have no body", async () => {
  const registry = await startRegistry(`Bearer ${TOKEN}`);
  registry.routes.set("/npm/left", "{}");
  registry.routes.set("/npm/same", (to) => void to.writeHead(304, { etag: '"a"' }).end());
  const { ask: asked } = await aGateway(registry);
  expect(await asked("/npm/left", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  const headers = { "if-none-match": '"a"' };
  expect(await asked("/npm/same", { headers })).toMatchObject({ status: 304, headers: { etag: '"a"' } });
  expect(registry.seen.at(-1)?.headers).toMatchObject(headers);
});

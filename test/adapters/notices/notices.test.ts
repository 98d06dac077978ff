import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect, it, onTestFinished } from "vitest";
import { createNotices } from "../../../src/adapters/notices/create-notices.ts";
import { OutsideError } from "../../../src/domain/kernel/errors.ts";
import { createFakeClock } from "../../fakes/clock.ts";

/** A whole second, as dates of HTTP are. */
const NOW = Math.floor(Date.now() / 1000) * 1000;
const KEY = Buffer.from("a key of thirty-two bytes, or so").toString("base64");

interface Post {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on loopback that answers by `answer`. */
async function aServer(answer: (response: ServerResponse) => void) {
  const posts: Post[] = [];
  const { promise: firstAsked, resolve: asked } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      posts.push({ headers: request.headers, body });
      asked();
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  const clock = createFakeClock(NOW);
  const url = `http://127.0.0.1:${port}/hooks/s3cret`;
  const notices = createNotices(
    new Map([
      ["team", { url, secret: KEY }],
      ["chat", { url, secret: null }],
    ]),
    { clock },
  );
  return { posts, clock, notices, firstAsked, server };
}

const message = (receiver: string) => ({
  receiver,
  id: "msg_1",
  body: JSON.stringify({ type: "flotilla.ready" }),
});

const failure = async (sending: Promise<void>) => {
  const error: unknown = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutsideError)) throw new Error(`not refused: ${String(error)}`);
  expect(`${error.message} ${error.advice ?? ""}`).not.toContain("s3cret");
  return error;
};

it("signs a message so that a receiver that follows Standard Webhooks accepts it, and no changed one", async () => {
  const { notices, posts } = await aServer((response) => response.writeHead(204).end());
  await notices.send(message("team"));
  const [{ headers, body } = { headers: {}, body: "" }] = posts;
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  expect(new Webhook(`whsec_${KEY}`).verify(body, given)).toEqual({ type: "flotilla.ready" });
  expect(() => new Webhook(`whsec_${KEY}`).verify(body.replace("ready", "merged"), given)).toThrow(
    /signature/,
  );
  expect(given).toMatchObject({ "content-type": "application/json", "webhook-id": "msg_1" });
});

it("signs nothing for a receiver without a key", async () => {
  const { notices, posts } = await aServer((response) => response.end("ok"));
  await notices.send(message("chat"));
  expect(Object.keys(posts[0]?.headers ?? {}).filter((name) => name.startsWith("webhook-"))).toEqual([]);
});

it.each([
  [500, {}, { code: "unavailable", consequence: "retry" }],
  [
    404,
    {},
    { code: "refused", consequence: "stop", advice: expect.stringContaining("flotilla notices try") },
  ],
  [
    302,
    { location: "/elsewhere" },
    { code: "refused", consequence: "stop", advice: expect.stringContaining("redirects") },
  ],
])(
  "fails on the answer %i in a way that says what follows, and asks once",
  async (status, headers, error) => {
    const { notices, posts } = await aServer((response) => response.writeHead(status, headers).end("no"));
    expect(await failure(notices.send(message("team")))).toMatchObject(error);
    expect(posts).toHaveLength(1);
  },
);

it.each([
  ["30", 30_000],
  ["999999", 3_600_000],
  ["1e99", 3_600_000],
  [new Date(NOW + 90_000).toUTCString(), 90_000],
])("waits as long as a receiver asks it to, up to an hour: %s", async (after, ms) => {
  const { notices, clock } = await aServer((response) =>
    response.writeHead(429, { "retry-after": after }).end(),
  );
  expect(await failure(notices.send(message("team")))).toMatchObject({
    consequence: "park",
    retryAt: clock.now() + ms,
  });
});

it.each(["-1", "0", "soon", new Date(NOW - 90_000).toUTCString()])(
  "chooses the pause itself where what a receiver asks is none: %s",
  async (after) => {
    const { notices } = await aServer((response) => response.writeHead(429, { "retry-after": after }).end());
    const error = await failure(notices.send(message("team")));
    expect(error).toMatchObject({ code: "unavailable", consequence: "retry" });
  },
);

it("has sent a message whose answer breaks off after its status", async () => {
  const { notices, posts } = await aServer((response) => {
    response.writeHead(200, { "content-length": "9999" });
    response.write("x", () => response.socket?.resetAndDestroy());
  });
  await notices.send(message("team"));
  expect(posts).toHaveLength(1);
});

it("gives up on a receiver that does not answer", async () => {
  const { notices, clock, firstAsked } = await aServer(() => {});
  const sending = failure(notices.send(message("team")));
  await firstAsked;
  clock.advance(10_000);
  expect(await sending).toMatchObject({ consequence: "retry", uncertain: true });
});

it("reads nothing of an endless answer", async () => {
  const { notices, posts } = await aServer((response) => {
    const pour = (): void => {
      while (response.write("x".repeat(65_536)));
      response.once("drain", pour);
    };
    pour();
  });
  await notices.send(message("team"));
  expect(posts).toHaveLength(1);
});

it("says that nobody listens at the address", async () => {
  const { notices, server } = await aServer(() => {});
  await new Promise((resolve) => server.close(resolve));
  expect(await failure(notices.send(message("team")))).toMatchObject({
    message: "the receiver team cannot be reached (ECONNREFUSED)",
    consequence: "retry",
  });
});

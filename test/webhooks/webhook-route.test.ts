import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createMemoryInbox } from "./memory-inbox.ts";
import { PREVIOUS, post, serveRoute, sign } from "./serve-route.ts";
import { stoppedClock } from "./stopped-clock.ts";

const PAYLOAD = JSON.stringify({
  action: "opened",
  issue: { number: 9, title: "Grüße 🌍" },
  repository: { id: 77 },
  installation: { id: 5 },
});

let served: Awaited<ReturnType<typeof serveRoute>> | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

async function serve(options: Parameters<typeof serveRoute>[1] = {}) {
  const inbox = createMemoryInbox();
  served = await serveRoute(inbox, options);
  return { inbox, ...served };
}

describe("webhook route", () => {
  it("answers 503 before GitHub gives up where the database hangs", async () => {
    const clock = stoppedClock();
    served = await serveRoute({ insert: () => new Promise(() => {}) }, { clock });
    const answer = post(served.url, PAYLOAD);
    await expect.poll(() => clock.waiting).toBe(1);
    clock.move(8_000);
    expect(await answer).toMatchObject({ status: 503, text: "Try again later\n" });
    expect(clock.waiting).toBe(0);
  });

  it("keeps nothing of what it refused while the database hung, and says once that it does not answer", async () => {
    const clock = stoppedClock();
    const batches: (readonly string[])[] = [];
    const hung = Promise.withResolvers<void>();
    const insert = (given: readonly { readonly guid: string }[]) => {
      batches.push(given.map(({ guid }) => guid));
      return hung.promise;
    };
    served = await serveRoute({ insert }, { clock });
    const { url, log } = served;
    const refused = async (guid: string) => {
      const answer = post(url, PAYLOAD, { "x-github-delivery": guid });
      await expect.poll(() => clock.waiting).toBe(1);
      clock.move(8_000);
      expect((await answer).status).toBe(503);
    };
    for (const guid of ["begun", "second", "third"]) await refused(guid);
    hung.resolve();
    expect((await post(url, PAYLOAD, { "x-github-delivery": "after" })).status).toBe(202);
    expect(batches).toEqual([["begun"], ["after"]]);
    expect(log.lines.map(({ message }) => message)).toEqual([
      "webhooks not stored: the database does not answer",
    ]);
  });

  it("stores a signed delivery as it came and answers 202", async () => {
    const { inbox, url, log } = await serve();
    const answer = await post(url, PAYLOAD);
    expect(answer).toMatchObject({ status: 202, text: "Accepted\n" });
    expect(answer.headers.get("connection")).toBe("keep-alive");
    expect(inbox.row("d-1")).toMatchObject({
      event: "issues",
      action: "opened",
      installationId: 5,
      repositoryId: 77,
      lane: "77#9",
      payload: PAYLOAD,
      receivedAt: 4_200,
    });
    expect(log.lines).toEqual([]);
  });

  it("answers only after the commit, and tells the consumer before", async () => {
    const committing = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const order: string[] = [];
    served = await serveRoute(
      {
        async insert() {
          committing.resolve();
          await commit.promise;
          order.push("committed");
        },
      },
      { onStored: () => order.push("told") },
    );
    const answered = post(served.url, PAYLOAD).then(({ status }) => order.push(`answered ${status}`));
    await committing.promise;
    order.push("committing");
    commit.resolve();
    await answered;
    expect(order).toEqual(["committing", "committed", "told", "answered 202"]);
  });

  it("accepts the previous secret while there is one", async () => {
    const { url, inbox } = await serve();
    expect((await post(url, PAYLOAD, { "x-hub-signature-256": sign(PAYLOAD, PREVIOUS) })).status).toBe(202);
    expect(inbox.rows.size).toBe(1);
  });

  it("refuses the previous secret when there is none", async () => {
    const { url } = await serve({ previousSecret: undefined });
    expect((await post(url, PAYLOAD, { "x-hub-signature-256": sign(PAYLOAD, PREVIOUS) })).status).toBe(401);
  });

  it.each([
    ["another secret", { "x-hub-signature-256": sign(PAYLOAD, "wrong") }],
    ["another body", { "x-hub-signature-256": sign(`${PAYLOAD} `) }],
    ["no signature", { "x-hub-signature-256": null }],
    ["SHA-1 only", { "x-hub-signature-256": null, "x-hub-signature": `sha1=${"a".repeat(40)}` }],
    ["a short digest", { "x-hub-signature-256": "sha256=ab" }],
    ["no digest", { "x-hub-signature-256": "sha256=" }],
  ])("answers 401 to %s and stores nothing", async (_what, headers) => {
    const { url, inbox, log } = await serve();
    expect(await post(url, PAYLOAD, headers)).toMatchObject({ status: 401, text: "Bad signature\n" });
    expect(inbox.rows.size).toBe(0);
    expect(log.lines).toEqual([
      { level: "warn", message: "webhook refused", fields: { status: 401, delivery: "d-1" } },
    ]);
  });

  it.each([
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["application/jsonp", 415],
    ["application/json; charset=utf-8", 202],
  ])("takes JSON and nothing else: %s", async (type, status) => {
    const { url } = await serve();
    expect((await post(url, PAYLOAD, { "content-type": type })).status).toBe(status);
  });

  it("takes POST and nothing else", async () => {
    const { url, inbox } = await serve();
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await fetch(url, { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    }
    expect(inbox.rows.size).toBe(0);
  });

  it("leaves other paths to others", async () => {
    const { url } = await serve();
    expect((await fetch(`${url}/more`, { method: "POST" })).status).toBe(404);
    expect((await post(`${url}?from=test`, PAYLOAD)).status).toBe(202);
  });

  it.each([
    ["broken JSON", "{"],
    ["an array", "[]"],
    ["a word", '"x"'],
    ["nothing", ""],
    ["null", "null"],
  ])("answers 400 to %s that is signed", async (_what, body) => {
    const { url, inbox } = await serve();
    expect((await post(url, body)).status).toBe(400);
    expect(inbox.rows.size).toBe(0);
  });

  it("answers 400 to signed bytes that are not UTF-8", async () => {
    const { url } = await serve();
    const bytes = Uint8Array.from([...Buffer.from('{"action":"'), 0xff, ...Buffer.from('"}')]);
    expect((await post(url, bytes)).status).toBe(400);
  });

  it.each([
    ["x-github-delivery", null],
    ["x-github-delivery", "two words"],
    ["x-github-delivery", "x".repeat(129)],
    ["x-github-event", null],
    ["x-github-event", "Issues/opened"],
  ])("answers 400 to a signed delivery with %s: %j", async (header, value) => {
    const { url, inbox } = await serve();
    expect((await post(url, PAYLOAD, { [header]: value })).status).toBe(400);
    expect(inbox.rows.size).toBe(0);
  });

  it("tells an unsigned caller nothing of what else is wrong", async () => {
    const { url } = await serve();
    const answer = await post(url, "{", { "x-hub-signature-256": sign("x"), "x-github-event": null });
    expect(answer.status).toBe(401);
  });

  it("answers 413 to a declared size over the cap, signed or not", async () => {
    const { url, inbox } = await serve({ maxBytes: 1_000 });
    const body = JSON.stringify({ text: "x".repeat(1_000) });
    expect((await post(url, body)).status).toBe(413);
    expect((await post(url, body, { "x-hub-signature-256": sign("x") })).status).toBe(413);
    expect((await post(url, JSON.stringify({ text: "x".repeat(900) }))).status).toBe(202);
    expect(inbox.rows.size).toBe(1);
  });

  it("answers 413 to a size over the real cap of 25 MiB", async () => {
    const { url } = await serve();
    const body = JSON.stringify({ text: "x".repeat(25 * 1024 * 1024) });
    expect((await post(url, body)).status).toBe(413);
  });

  it("answers 413 as soon as a body without a declared size goes far over the cap", async () => {
    const { port } = await serve({ maxBytes: 1_000 });
    const socket = connect(port, "127.0.0.1");
    socket.write(head("Transfer-Encoding: chunked", sign("x")));
    socket.write(`${(3_000).toString(16)}\r\n${"x".repeat(3_000)}\r\n`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 413 .*\r\nconnection: close/is);
  });

  it("counts what arrives, and not only what was declared", async () => {
    const { port, inbox } = await serve({ maxBytes: 1_000 });
    const socket = connect(port, "127.0.0.1");
    const body = JSON.stringify({ text: "x".repeat(1_500) });
    socket.write(head("Transfer-Encoding: chunked", sign(body)));
    socket.end(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 413 /);
    expect(inbox.rows.size).toBe(0);
  });

  it("forgets a sender that leaves in the middle", async () => {
    const { port, url, inbox, log } = await serve();
    const socket = connect(port, "127.0.0.1");
    socket.write(head("Content-Length: 100", sign("x")));
    socket.write("{");
    socket.resetAndDestroy();
    await once(socket, "close");
    expect((await post(url, PAYLOAD)).status).toBe(202);
    expect(inbox.rows.size).toBe(1);
    expect(log.lines).toEqual([]);
  });

  it("answers 503 when the database cannot commit, and says so once", async () => {
    served = await serveRoute({ insert: () => Promise.reject(new Error("disk full")) });
    const answer = await post(served.url, PAYLOAD);
    expect(answer).toMatchObject({ status: 503, text: "Try again later\n" });
    expect(served.log.lines).toEqual([
      {
        level: "error",
        message: "webhooks not stored",
        fields: { deliveries: 1, error: "disk full" },
      },
    ]);
  });

  it.each([
    ["an issue", { repository: { id: 7 }, issue: { number: 3 } }, "7#3"],
    ["a pull request", { repository: { id: 7 }, pull_request: { number: 4 } }, "7#4"],
    ["a repository", { repository: { id: 7 }, installation: { id: 5 } }, "7"],
    ["an installation", { installation: { id: 5 } }, "installation:5"],
    ["the App", {}, "app"],
    ["odd fields", { repository: { id: "7" }, issue: { number: -1 }, installation: 5 }, "app"],
  ])("keeps in order what is about %s", async (_what, payload, lane) => {
    const { url, inbox } = await serve();
    await post(url, JSON.stringify(payload));
    expect(inbox.row("d-1").lane).toBe(lane);
  });
});

function head(length: string, signature: string): string {
  return [
    "POST /api/github/webhooks HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    `X-Hub-Signature-256: ${signature}`,
    length,
    "",
    "",
  ].join("\r\n");
}

async function readAll(socket: ReturnType<typeof connect>): Promise<string> {
  return (await Array.fromAsync(socket)).join("");
}

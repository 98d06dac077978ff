import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { appClient, type Client } from "./client.ts";
import { dig } from "./dig.ts";
import { secret, useGitHub } from "./setup.ts";

const ground = useGitHub();
let app: Client;
beforeAll(() => {
  app = appClient(ground.github);
});
const open = async (title: string): Promise<number> => await ground.github.as("octocat").openIssue({ title });

describe("a webhook", () => {
  it("has GitHub's headers and signatures over its exact bytes", async () => {
    await open("Signed");
    await ground.heard();
    const { headers, body, guid } = ground.receiver.received.at(-1)!;
    const sign = (algorithm: string): string =>
      `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "x-github-event": "issues",
      "x-github-hook-id": String(ground.github.app.hook.id),
      "x-github-hook-installation-target-id": String(ground.github.app.id),
      "x-github-hook-installation-target-type": "integration",
      "x-hub-signature": sign("sha1"),
      "x-hub-signature-256": sign("sha256"),
    });
    expect(headers["user-agent"]).toMatch(/^GitHub-Hookshot\//);
    expect(guid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
  });

  it("is sent in the order of events, with its own GUID", async () => {
    const numbers: number[] = [];
    for (let index = 0; index < 10; index += 1) numbers.push(await open(`Issue ${index}`));
    await ground.heard();
    const last = ground.receiver.received.slice(-10);
    expect(last.map(({ payload }) => dig(payload, "issue", "number"))).toEqual(numbers);
    expect(new Set(last.map(({ guid }) => guid)).size).toBe(10);
  });

  it("is not sent for a repository without the App", async () => {
    ground.github.setInstalled("acme/lib", false, "boss");
    await ground.github.as("octocat", "acme/lib").openIssue({ title: "Unseen" });
    ground.github.setInstalled("acme/lib", true, "boss");
    ground.github.installationEvent("suspend", "boss");
    ground.github.installationEvent("unsuspend", "boss");
    ground.github.installationEvent("created", "boss");
    expect(await ground.heard()).toEqual([
      "installation_repositories.removed",
      "installation_repositories.added",
      "installation.suspend",
      "installation.unsuspend",
      "installation.created",
    ]);
  });
});

describe("chaos", () => {
  it("can send a webhook twice under one GUID", async () => {
    ground.github.webhooks.filter = () => "twice";
    await open("Twice");
    await ground.heard();
    const [first, second] = ground.receiver.received.slice(-2);
    expect([first?.guid, first?.body]).toEqual([second?.guid, second?.body]);
  });

  it("can hold webhooks and release them in another order", async () => {
    ground.github.webhooks.filter = ({ event }) => (event === "issues" ? "hold" : "send");
    const first = await open("First");
    const second = await open("Second");
    await ground.github.as("octocat").comment(first, "Seen at once");
    expect(await ground.heard()).toEqual(["issue_comment.created"]);
    const held = ground.github.webhooks.held();
    ground.github.webhooks.release(held.toReversed());
    await ground.heard();
    const numbers = ground.receiver.received.slice(-2).map(({ payload }) => dig(payload, "issue", "number"));
    expect(numbers).toEqual([second, first]);
    expect(ground.github.webhooks.held()).toEqual([]);
  });

  it("can lose a webhook, which the deliveries list as failed and which can be redelivered", async () => {
    ground.github.webhooks.filter = () => "drop";
    await open("Lost");
    expect(await ground.heard()).toEqual([]);
    ground.github.webhooks.filter = () => "send";
    const [failed] = (await app("GET", "/app/hook/deliveries?status=failure")).list;
    expect(failed).toMatchObject({ event: "issues", action: "opened", redelivery: false });
    expect((await app("POST", `/app/hook/deliveries/${String(failed?.["id"])}/attempts`)).status).toBe(202);
    expect(await ground.heard()).toEqual(["issues.opened"]);
    expect(ground.receiver.received.at(-1)?.guid).toBe(failed?.["guid"]);
    const [newest] = (await app("GET", "/app/hook/deliveries")).list;
    expect(newest).toMatchObject({
      guid: failed?.["guid"],
      redelivery: true,
      status: "OK",
      status_code: 202,
    });
  });
});

describe("deliveries", () => {
  it("record requests and answers, listed in pages by cursor", async () => {
    ground.receiver.answer.status = 503;
    await open("Refused");
    await ground.heard();
    ground.receiver.answer.status = 202;
    await open("Taken");
    await ground.heard();
    const first = await app("GET", "/app/hook/deliveries?per_page=1");
    expect(first.list).toMatchObject([{ status_code: 202 }]);
    const next =
      /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1]?.replace(ground.github.api, "") ??
      "";
    const [refused] = (await app("GET", next)).list;
    expect(refused).toMatchObject({ status_code: 503, status: "Service Unavailable" });
    const { json } = await app("GET", `/app/hook/deliveries/${String(refused?.["id"])}`);
    expect(json).toMatchObject({
      request: { payload: { action: "opened" } },
      response: { payload: "taken" },
    });
    expect((await app("GET", "/app/hook/deliveries/1")).status).toBe(404);
    expect((await app("GET", "/app/hook/deliveries?cursor=x")).status).toBe(400);
  });

  it("record when no server listens", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    server.close();
    await once(server, "close");
    expect((await app("PATCH", "/app/hook/config", { url: `http://127.0.0.1:${port}/` })).status).toBe(200);
    await open("Nobody home");
    await ground.heard();
    const [delivery] = (await app("GET", "/app/hook/deliveries")).list;
    expect(delivery).toMatchObject({ status: "failed to connect to host", status_code: 502 });
    ground.github.setWebhook({ url: ground.receiver.url, secret });
    expect((await app("GET", "/app/hook/config")).json).toMatchObject({
      url: ground.receiver.url,
      secret: "********",
    });
  });
});

import { generateKeyPairSync } from "node:crypto";
import type { Probot } from "probot";
import { describe, expect, it } from "vitest";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import { createReceiver, flotillaApp } from "../../src/webhooks/probot-receiver.ts";
import { newDelivery } from "./memory-inbox.ts";
import { createMemoryLog } from "./memory-log.ts";
import { createReadingRig, envelope, OTHER_BOT, rawIssue, WRITER } from "./reading-rig.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

function receiverOf(app: (app: Probot) => void) {
  const log = createMemoryLog();
  const baseUrl = "http://127.0.0.1:1/api/v3";
  const receive = createReceiver({ appId: 12, privateKey, secret: "s", baseUrl, app, log });
  return { receive, log };
}

const unexpected = () => Promise.reject(new Error("not expected"));

const OPENED = newDelivery("d-1", {
  payload: JSON.stringify({ action: "opened", ...envelope(WRITER, { issue: rawIssue() }) }),
});

describe("receiver", () => {
  it("hands a stored delivery to the app, which hands on what happened", async () => {
    const handled: unknown[] = [];
    const { tools } = createReadingRig();
    const handle = async (...told: readonly unknown[]) => void handled.push(told);
    const { receive } = receiverOf(flotillaApp({ ...tools, handle, ignore: unexpected }));
    expect(await receive(OPENED, "claim")).toBe("handled");
    expect(handled).toMatchObject([[{ type: "issue_opened", delivery: "d-1", actor: WRITER }, "claim"]]);
  });

  it("lets the app say why nothing follows", async () => {
    const ignored: string[] = [];
    const { tools } = createReadingRig();
    const app = flotillaApp({
      ...tools,
      handle: unexpected,
      ignore: async (delivery, reason, claim) => void ignored.push(`${delivery}, ${claim}: ${reason}`),
    });
    const payload = envelope(OTHER_BOT, { action: "created", issue: rawIssue(), comment: COMMENT });
    const comment = newDelivery("d-2", {
      event: "issue_comment",
      action: "created",
      payload: JSON.stringify(payload),
    });
    expect(await receiverOf(app).receive(comment, "claim")).toBe("handled");
    expect(ignored).toEqual(["d-2, claim: renovate[bot] is a bot that policy.bots does not list"]);
  });

  it.each([
    ["issues", "pinned", "event issues.pinned is not used"],
    ["ping", null, "event ping is not used"],
    ["never_heard_of", "done", "event never_heard_of.done is not used"],
  ])("says that nobody uses %s.%s", async (event, action, ignored) => {
    const { receive } = receiverOf((app) => app.on("issues.opened", () => undefined));
    const payload = JSON.stringify(action === null ? {} : { action });
    expect(await receive(newDelivery("d-3", { event, action, payload }), "claim")).toEqual({ ignored });
  });

  it("throws the error whose consequence is known, out of what Probot joins", async () => {
    const parked = new GitHubError("rate_limited", "slow down", 429, { consequence: "park", retryAt: 9 });
    const { receive } = receiverOf((app) => {
      app.on("issues.opened", () => Promise.reject(new Error("first")));
      app.on("issues", () => Promise.reject(parked));
    });
    await expect(receive(OPENED, "claim")).rejects.toBe(parked);
  });

  it("throws a handler's own error when none has a consequence", async () => {
    const boom = new Error("boom");
    const { receive } = receiverOf((app) => app.on("issues.opened", () => Promise.reject(boom)));
    await expect(receive(OPENED, "claim")).rejects.toBe(boom);
  });

  it("says when the app cannot be loaded, and rejects every delivery", async () => {
    const { receive, log } = receiverOf(() => {
      throw new Error("no such handler");
    });
    await expect(receive(OPENED, "claim")).rejects.toThrow("no such handler");
    expect(log.lines).toMatchObject([{ level: "error", fields: { error: "no such handler" } }]);
  });

  it("repeats no request of a handler that uses Probot's client", async () => {
    let requests = 0;
    const { receive } = receiverOf((app) =>
      app.on("issues.opened", async ({ octokit }) => {
        await octokit.request("GET /meta", {
          request: {
            fetch: async () => {
              requests += 1;
              return new Response("{}", { status: 502 });
            },
          },
        });
      }),
    );
    const unauthenticated = { ...OPENED, payload: JSON.stringify({ action: "opened" }) };
    await expect(receive(unauthenticated, "claim")).rejects.toMatchObject({ status: 502 });
    expect(requests).toBe(1);
  });
});

const COMMENT = { id: 900, body: "hello", html_url: "https://github.test/c/900" };

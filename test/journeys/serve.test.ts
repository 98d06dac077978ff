import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalCollector, startCollector } from "../observability/traces/local-collector.ts";
import { pathOf } from "../observability/traces/taken.ts";
import { after, aScenario, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { ownFileInForce, WANTED } from "./own-file-in-force.ts";
import { proposalDeclined } from "./proposal-declined.ts";
import { runFlotilla } from "./run-flotilla.ts";
import { secretsOf } from "./secrets-of.ts";
import { signedPost } from "./signed-post.ts";
import { until } from "./until.ts";

const NEVER_MS = 600_000;
const [first, ...rest] = makes("quicksilver.md");
const COLLECTOR_KEY = "Bearer key-of-the-collector-0123456789";

const scenario = (collector: LocalCollector) =>
  aScenario({
    conversations: [
      saysOn(1, [
        { ...first, delayMs: NEVER_MS },
        ...after("You were interrupted by a restart", [first ?? {}, ...rest]),
      ]),
      saysOn(2, makes("missed.md")),
      { match: `Work on issue .*${WANTED}`, steps: makes("wanted.md") },
    ],
    config: {
      telemetry: { endpoint: collector.url, header: { name: "x-key", value_env: "COLLECTOR_KEY" } },
    },
  });

describe("a serving process", () => {
  let journey: Journey;
  let collector: LocalCollector;
  let held: readonly string[] = [];

  beforeAll(async () => {
    collector = await startCollector();
    journey = await startJourney({ scenario: scenario(collector), env: { COLLECTOR_KEY } });
    held = Object.values(secretsOf(journey.served().pid));
  }, 180_000);
  afterAll(async () => {
    await journey.close();
    await collector.close();
  });

  const url = () => journey.served().url;
  const status = async (path: string, init: RequestInit = {}): Promise<number> =>
    (await fetch(`${url()}${path}`, init)).status;

  it("reports that it is alive and ready", async () => {
    expect([await status("/healthz"), await status("/readyz")]).toEqual([200, 200]);
  });

  it("shows its agents only with the token", async () => {
    const { DASHBOARD_TOKEN: token } = secretsOf(journey.served().pid);
    expect(await status("/api/agents")).toBe(401);
    expect(await status("/api/agents", bearing("wrong"))).toBe(401);
    expect(await status("/api/agents", bearing(`${token}x`))).toBe(401);
    expect(await status("/api/agents", bearing(token))).toBe(200);
  });

  it("answers 404 to unknown paths and 405 to wrong methods", async () => {
    const token = bearing(secretsOf(journey.served().pid).DASHBOARD_TOKEN);
    expect(await status("/api/nothing", token)).toBe(404);
    expect(await status("/nothing")).toBe(404);
    expect(await status("/api/agents", { ...token, method: "POST" })).toBe(405);
    expect(await status("/api/github/webhooks")).toBe(405);
  });

  it("signs a person in through GitHub, shows what they may read there, and ends the session when they sign out", async () => {
    const { github } = journey;
    const begun = await fetch(`${url()}/sign-in/github`, { redirect: "manual" });
    const agreed = await fetch(begun.headers.get("location") ?? "", {
      method: "POST",
      body: new URLSearchParams({ login: "octocat" }),
      redirect: "manual",
    });
    const back = agreed.headers.get("location") ?? "";
    const done = await fetch(back, { headers: { cookie: cookieIn(begun) } });
    const headers = { cookie: cookieIn(done) };
    expect(await (await fetch(`${url()}/api/me`, { headers })).json()).toMatchObject({
      viewer: { kind: "person", login: "octocat" },
    });
    expect(github.requests().findLast(({ path }) => path === "/user")).toMatchObject({ actor: "octocat" });
    expect(await status("/api/overview", { headers })).toBe(200);
    expect(await status("/metrics", { headers })).toBe(401);
    const json = { ...headers, "content-type": "application/json" };
    expect(await status("/api/sign-out", { method: "POST", headers: json, body: "{}" })).toBe(200);
    expect(await status("/api/overview", { headers })).toBe(401);
    expect(journey.served().log()).not.toContain(github.app.clientSecret);
  });

  it("refuses bad webhooks with a constant answer and one short log line, and stores nothing", async () => {
    const { WEBHOOK_SECRET: secret } = secretsOf(journey.served().pid);
    const body = '{"action":"opened"}';
    const before = refusals();
    const answers = [
      await signedPost(url(), "not the secret", { body }),
      await signedPost(url(), secret, { body, headers: SHA1_ONLY }),
      await signedPost(url(), secret, { body, headers: { "content-type": "text/plain" } }),
      await signedPost(url(), secret, { body: "{not json" }),
      await signedPost(url(), secret, { body: Buffer.alloc(26 * 1024 * 1024, 32) }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 415, 400, 413]);
    for (const { text } of answers) expect(text).toMatch(/^[A-Za-z0-9 .,]{1,60}\n?$/);
    expect(answers[0]).toEqual(answers[1]);
    const lines = await until("a line for each", () => {
      const all = refusals().slice(before.length);
      return all.length >= answers.length && all;
    });
    expect(lines).toHaveLength(answers.length);
    for (const line of lines) expect(line.length).toBeLessThan(200);
    expect(journey.rows("SELECT * FROM delivery")).toEqual([]);
    expect(await status("/healthz")).toBe(200);
  });

  it("lets no second process use its data directory, and continues after a kill", async () => {
    const { pid } = journey.served();
    const second = { cwd: join(journey.dataDir, ".."), env: environmentOf(pid) };
    process.kill(pid, "SIGSTOP");
    const { code, stderr } = await runFlotilla(["serve"], second).finally(() => process.kill(pid, "SIGCONT"));
    expect(stderr).toContain(`another flotilla process (pid ${pid}, started `);
    expect(stderr).toContain("stop it or set FLOTILLA_DATA_DIR");
    expect(code).toBe(2);
    expect(await status("/readyz")).toBe(200);
  }, 180_000);

  it("can be stopped in the middle of a model's answer, and continues after the next start", async () => {
    await journey.github
      .as("octocat")
      .openIssue({ title: "Quicksilver", body: "Please.", labels: ["feature"] });
    await until("the model is asked", () => journey.model.requests.length > 0);
    expect(await journey.served().stop("SIGTERM")).toBe(0);
    expect(journey.rows("SELECT state, sleep_reason, restarts FROM agent")).toEqual([
      { state: "SLEEPING", sleep_reason: "restart", restarts: 0 },
    ]);
    await journey.github.as("octocat").openIssue({ title: "Missed", body: "Please.", labels: ["feature"] });
    await journey.github.webhooks.idle();
    await journey.restart("SIGTERM", { DASHBOARD_TOKEN: "" });
    await journey.reached(1, "COMPLETED");
    expect(journey.github.state().pulls().length).toBeGreaterThan(0);
  }, 120_000);

  it("asks GitHub to redeliver webhooks that were sent while it was down", async () => {
    await journey.reached(2, "COMPLETED");
    const again = journey.github.webhooks.deliveries().filter(({ redelivery }) => redelivery);
    expect(again.map(({ event }) => event)).toContain("issues");
    expect(journey.served().log()).toContain("missed webhooks requested again");
  }, 180_000);

  it("sends one trace from the first webhook to everything that followed, before and after the restart", async () => {
    const { spans } = collector;
    const root = "webhook issues.labeled";
    const handled = `${root} > handle issues.labeled`;
    const session = `${root} > effect open_session > session`;
    const wanted = [
      `${handled} > effect status_comment > POST /repos/{owner}/{repo}/issues/{issue_number}/comments`,
      `${handled} > effect open_session > session > exchange`,
      // From the second process.
      session,
      `${session} > exchange > tool bash`,
      `${session} > exchange > tool open_pr > effect open_pr > POST /repos/{owner}/{repo}/pulls`,
    ];
    const [run] = journey.rows("SELECT id FROM run WHERE issue = 1");
    const ofRun = () => spans.filter(({ attributes }) => attributes["flotilla.run"] === run?.["id"]);
    const paths = () => new Set(ofRun().map((span) => pathOf(spans, span)));
    // A span is sent when it has ended, so its parent arrives later.
    const whole = () => [...paths()].every((path) => !path.includes("?"));
    await until(
      "all of it is there, from its root on",
      () => wanted.every((path) => paths().has(path)) && whole(),
    );
    expect(new Set(ofRun().map(({ trace }) => trace)).size).toBe(1);
  }, 180_000);

  it("sends the collector no text that people or agents wrote, and no secret except its own", () => {
    const sent = collector.bodies.join("\n");
    expect(sent).toContain("feat-dev-issue-1");
    expect(sent).not.toMatch(/quicksilver|missed|please|as asked|octocat|acme|interrupted/i);
    for (const secret of [...held, COLLECTOR_KEY]) expect(sent.includes(secret)).toBe(false);
    expect(new Set(collector.headers.map((headers) => headers["x-key"]))).toEqual(new Set([COLLECTOR_KEY]));
    expect(journey.served().log()).not.toContain(COLLECTOR_KEY);
  });

  it("proposes the repository's file in one pull request, which starts no agent", async () => {
    await proposalDeclined(journey);
    expect(journey.rows("SELECT 1 FROM agent")).toHaveLength(2);
  }, 180_000);

  it("applies the repository's own file, and keeps applying it while a newer one is faulty", async () => {
    expect(await ownFileInForce(journey)).toEqual([
      expect.stringContaining('rolls: unknown key. Did you mean "roles"?'),
    ]);
  }, 180_000);

  it("generates a token if none is configured, readable only by its user", async () => {
    const path = join(journey.dataDir, "dashboard-token");
    const token = readFileSync(path, "utf8").trim();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    expect(await status("/api/agents", bearing(token))).toBe(200);
    expect(await status("/api/agents", bearing(""))).toBe(401);
  });

  function refusals(): string[] {
    return journey
      .served()
      .log()
      .split("\n")
      .filter((line) => line.includes("webhook refused"));
  }
});

const SHA1_ONLY = { "x-hub-signature-256": "", "x-hub-signature": `sha1=${"0".repeat(40)}` };

function cookieIn(answer: Response): string {
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

function bearing(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

function environmentOf(pid: number): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

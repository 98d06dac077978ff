import { generateKeyPairSync } from "node:crypto";
import { afterAll, expect, it } from "vitest";
import type { GitHubIssue } from "../../src/domain/ports/github.ts";
import { EVENT_NAMES, EVENTS, type EventName } from "../../src/webhooks/events/table.ts";
import { createReceiver, flotillaApp } from "../../src/webhooks/probot-receiver.ts";
import { createDeliveryConsumer } from "../../src/webhooks/queue/delivery-consumer.ts";
import { damaged, GONE, pathsOf, WRONG } from "../adapters/github/damage.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { proved } from "../proved.ts";
import { randomOf } from "../random.ts";
import { createMemoryLog } from "./memory-log.ts";
import { createReadingRig, envelope, WRITER } from "./reading-rig.ts";
import { post, serveRoute } from "./serve-route.ts";
import { stoppedClock } from "./stopped-clock.ts";

const SEED = 16;
const DELIVERED = 300;
const HEAD = "a".repeat(40);
const person = { id: 9, login: "octocat", type: "User" };
const issue = {
  number: 3,
  title: "T",
  body: "B",
  state: "open",
  state_reason: null,
  labels: [{ name: "bug" }],
  assignees: [person],
  user: person,
  html_url: "https://github.test/octo/shop/issues/3",
  locked: false,
  milestone: { number: 1, title: "M", due_on: null },
};
const shop = {
  id: 77,
  name: "shop",
  full_name: "octo/shop",
  private: true,
  default_branch: "main",
  owner: { login: "octo" },
};

/** Every field that some reader uses: each webhook is a part of it. */
const PAYLOAD = {
  ...envelope(WRITER),
  issue,
  blocked_issue: issue,
  blocking_issue: issue,
  blocking_issue_repo: shop,
  parent_issue: issue,
  sub_issue: issue,
  sub_issue_repo: shop,
  comment: { id: 5, body: "/flotilla start", html_url: "https://github.test/c", user: person },
  label: { name: "agent:docs-dev" },
  milestone: { number: 1, title: "M", due_on: "2026-02-01T00:00:00Z" },
  assignee: person,
  pull_request: {
    number: 4,
    body: "B",
    merged: true,
    merge_commit_sha: HEAD,
    user: person,
    head: { ref: "flotilla/docs-dev/issue-3", repo: { id: 77 } },
  },
  review: {
    id: 6,
    body: "B",
    html_url: "https://github.test/r",
    state: "approved",
    commit_id: HEAD,
    user: person,
  },
  changes: {
    title: { from: "old" },
    body: { from: "old" },
    new_issue: { number: 8 },
    new_repository: { full_name: "octo/other" },
    repository: { name: { from: "store" } },
    owner: { from: { user: { login: "old" }, organization: null } },
  },
  ref: "refs/heads/main",
  after: HEAD,
  sha: HEAD,
  deleted: false,
  commits: [{ message: `Revert "x"\n\nThis reverts commit ${HEAD}.` }],
  check_run: { head_sha: HEAD },
  check_suite: { head_sha: HEAD },
  workflow_run: { head_sha: HEAD },
  repositories: [{ id: 77, full_name: "octo/shop", private: true }],
  repositories_added: [{ id: 78, full_name: "octo/other", private: true }],
  repositories_removed: [{ id: 79 }],
};
const PATHS = pathsOf(PAYLOAD);
const found: GitHubIssue = {
  id: 1003,
  number: 3,
  title: "T",
  body: "B",
  state: "open",
  stateReason: null,
  labels: [],
  assignees: [],
  author: WRITER,
  locked: false,
  isPullRequest: false,
  milestone: null,
  url: "https://github.test/octo/shop/issues/3",
};

/** GitHub answers whatever is looked up. */
function toolsOf(rig: ReturnType<typeof createReadingRig>) {
  const github = {
    ...rig.github,
    permission: async () => "write" as const,
    pullRequests: async () => [],
    reviews: async () => [],
    issue: async () => found,
  };
  return { ...rig.tools, github };
}

let read = 0;
let ignored = 0;
afterAll(() => {
  proved({
    promise:
      "A webhook with a missing or mistyped field is read or ignored with its reason, and never retried",
    test: "test/webhooks/damaged-payloads.test.ts",
    figure: `${read} damaged payloads of ${EVENT_NAMES.length} webhooks read, ${ignored} ignored with a reason; ${DELIVERED} delivered over HTTP`,
  });
});

it.each(EVENT_NAMES)(
  "%s is read or ignored with a reason, whatever field is missing or mistyped",
  async (name) => {
    const tools = toolsOf(createReadingRig());
    const random = randomOf(SEED);
    const faults: string[] = [];
    const readOne = async (payload: unknown, what: string) => {
      read += 1;
      try {
        const reading = await EVENTS[name]({ id: `d-${read}`, payload }, tools);
        if (!("ignored" in reading)) return;
        ignored += 1;
        if (reading.ignored.length === 0) faults.push(`${what}: ignored without a reason`);
      } catch (error) {
        faults.push(`${what}: ${String(error)}`);
      }
    };
    await readOne(PAYLOAD, "nothing");
    expect(faults).toEqual([]);
    for (const path of PATHS)
      for (const wrong of [GONE, null, WRONG[Math.floor(random() * WRONG.length)]])
        await readOne(damaged(PAYLOAD, [path], wrong), `${String(wrong)} at ${path.join(".")}`);
    for (const payload of [null, [], {}, "text", 7]) await readOne(payload, JSON.stringify(payload));
    expect(faults).toEqual([]);
  },
);

/** GitHub's own form of the names of events. */
function split(name: EventName): { event: string; action: string | undefined } {
  const [event = "", action] = name.split(".");
  return { event, action };
}

it("is settled at its first try where it comes over HTTP, with the reason", async () => {
  const random = randomOf(SEED);
  const one = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const rig = createReadingRig();
  const log = createMemoryLog();
  const store = memoryStore();
  const { deliveries } = store;
  const served = await serveRoute(deliveries);
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const app = flotillaApp({
    ...toolsOf(rig),
    handle: async ({ delivery }) => void (await deliveries.settle(delivery, "done", null, rig.now)),
    ignore: async (guid, reason) => void (await deliveries.settle(guid, "ignored", reason, rig.now)),
  });
  const receive = createReceiver({
    appId: 12,
    privateKey,
    secret: "s",
    baseUrl: "http://127.0.0.1:1",
    app,
    log,
  });
  const consumer = createDeliveryConsumer({
    deliveries,
    receive,
    clock: stoppedClock(),
    log,
    concurrency: 4,
  });
  /** What Probot itself looks at comes first, damaged in every way. */
  const around = [["installation"], ["installation", "id"], ["repository"], ["sender"]].flatMap((path) =>
    WRONG.map((wrong) => ({ path, wrong })),
  );
  for (let index = 0; index < DELIVERED; index += 1) {
    const { event, action } = split(one(EVENT_NAMES) ?? "push");
    const whole = { ...PAYLOAD, ...(action === undefined ? {} : { action }) };
    const { path, wrong } = around[index] ?? { path: one([...PATHS, ["action"]]) ?? [], wrong: one(WRONG) };
    const body = JSON.stringify(damaged(whole, [path], wrong));
    const headers = { "x-github-event": event, "x-github-delivery": `d-${index}` };
    expect((await post(served.url, body, headers)).status).toBe(202);
  }
  await consumer.tick();
  const rows = await deliveries.list({}, DELIVERED + 1);
  await served.close();
  await store.close();
  expect(rows).toHaveLength(DELIVERED);
  const bad = rows.filter(
    ({ state, note, attempts }) =>
      attempts > 0 || !(state === "done" || (state === "ignored" && note !== null)),
  );
  expect(
    bad.map(({ event, action, state, note, attempts }) => ({ event, action, state, note, attempts })),
  ).toEqual([]);
});

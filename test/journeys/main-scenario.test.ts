import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject } from "../../src/demo/github/http/fields.ts";
import { play } from "../../src/demo/play.ts";
import { MAIN_SCENARIO, readScenario } from "../../src/demo/read-scenario.ts";
import { parseMarker } from "../../src/domain/messages/marker.ts";
import { expectContinued } from "../continued-requests.ts";
import { ENCODINGS } from "../encodings.ts";
import { watchGitHub } from "../github-descriptions/watch.ts";
import { everythingIn, leaksIn } from "../leaks-in.ts";
import { proved } from "../proved.ts";
import { countsAll } from "./counts-all.ts";
import { filesHolding } from "./files-holding.ts";
import { filesWith } from "./files-with.ts";
import { type Journey, startJourney } from "./journey.ts";
import { processesOf } from "./processes-of.ts";
import { appPushes, refsOnServer } from "./pushed-refs.ts";
import { secretsOf } from "./secrets-of.ts";
import { until } from "./until.ts";

const scenario = readScenario(MAIN_SCENARIO);
const CODERS = { 1: "feat-dev", 2: "bug-fix", 3: "docs-dev" };

describe("the demo's scenario", () => {
  const watched = watchGitHub();
  let answers = 0;
  let journey: Journey;
  const asleep = { session: "", processes: [0] as readonly number[], leaks: [""], known: [""] };

  beforeAll(async () => {
    journey = await startJourney({
      scenario,
      observe: {
        ...watched.observe,
        response: (seen) => {
          answers += 1;
          watched.observe.response?.(seen);
        },
      },
    });
    for (const act of scenario.story) {
      await play(journey, { ...scenario, story: [act] }, () => undefined);
      if ("wait" in act && act.wait.state === "SLEEPING") await lookAtTheSleeper();
    }
    await journey.quiet();
  }, 300_000);
  afterAll(() => journey.close());

  async function lookAtTheSleeper(): Promise<void> {
    const [agent] = journey.rows("SELECT session_id FROM agent WHERE issue = 1 AND role = 'feat-dev'");
    asleep.session = String(agent?.["session_id"]);
    await until("its stop is done", () => {
      const open = journey.rows(
        "SELECT 1 FROM effect JOIN agent ON agent.id = agent_id WHERE role = 'feat-dev' AND kind = 'close_session' AND effect.state = 'done'",
      );
      return open.length === 1;
    });
    asleep.processes = await processesOf(journey, 1);
    const readable = ["sessions", "worktrees"].map((name) => `${journey.dataDir}/${name}`);
    const secrets = Object.values(secretsOf(journey.served().pid));
    asleep.leaks = filesWith(readable, [...secrets, /gh[sp]_[0-9a-f]{36}/]);
    asleep.known = filesWith(readable, ["Please add a farewell in", "helo\n"]);
  }

  it("exchanges only requests, answers and webhooks that GitHub's own descriptions allow", () => {
    const webhooks = [...watched.seen.webhooks.values()].reduce((sum, count) => sum + count, 0);
    expect(watched.violations).toEqual([]);
    expect(watched.seen.requests).toBeGreaterThan(50);
    expect(answers).toBeGreaterThan(50);
    expect(webhooks).toBeGreaterThan(50);
  });

  it("takes the first issue's agent from CREATED through SLEEPING to COMPLETED", () => {
    const rows = journey.rows(
      `SELECT to_state FROM transition JOIN agent ON agent.id = record_id
       WHERE machine = 'agent' AND agent.issue = 1 AND role = 'feat-dev' AND from_state <> to_state ORDER BY transition.id`,
    );
    expect(rows.map((row) => row["to_state"])).toEqual([
      "CREATED",
      "ACTIVE",
      "SLEEPING",
      "ACTIVE",
      "COMPLETED",
    ]);
  });

  it("counts everything in its database in the metrics and the ledger", async () => {
    await expect(countsAll(journey)).resolves.toBeUndefined();
  });

  it("begins each request of a conversation with the bytes of the one before, across sleep and wake", () => {
    const beginnings = Map.groupBy(journey.model.requests, ({ messages }) =>
      JSON.stringify(messages.slice(0, 2)),
    );
    expect(beginnings.size).toBeGreaterThan(6);
    for (const requests of beginnings.values()) expectContinued(requests);
  });

  it("sends little before the first message: the system prompt and the descriptions of the tools", () => {
    const sizes = journey.model.requests.map(({ messages, body }) => {
      const tools: readonly unknown[] = JSON.parse(body).tools;
      return {
        characters: (messages[0]?.content.length ?? 0) + JSON.stringify(tools).length,
        tools: tools.length,
      };
    });
    expect(Math.max(...sizes.map(({ characters }) => characters))).toBeLessThan(32_000);
    expect(Math.max(...sizes.map(({ tools }) => tools))).toBeLessThanOrEqual(26);
  });

  it("leaves no secret of the host, in any encoding, in a file, a log or a request to the model", () => {
    const secrets = secretsOf(journey.served().pid);
    const forms = Object.values(secrets).flatMap((secret) => ENCODINGS.map(({ encode }) => encode(secret)));
    const files = filesHolding(journey.dataDir, forms);
    const said = `${journey.served().log()}\n${everythingIn(journey.model.requests.map(({ messages }) => messages))}`;
    const leaks = [...files, ...leaksIn(said, secrets)];
    expect(leaks).toEqual([]);
    expect(said).not.toMatch(/gh[sp]_[0-9a-f]{36}/);
    expect(filesHolding(journey.dataDir, ["Please add a farewell in"])).not.toEqual([]);
    proved({
      promise: "No secret of the host stands in its data directory, its log, or a request to the model.",
      test: "test/journeys/main-scenario.test.ts",
      figure: `${leaks.length} leaks of ${Object.keys(secrets).length} secrets in ${ENCODINGS.length} encodings`,
    });
  });

  it("keeps no process for a sleeping session", () => {
    expect(asleep.session).toMatch(/^flotilla-[0-9a-f]{16}-1$/);
    expect(asleep.processes).toEqual([]);
  });

  it("writes no key and no token into what an agent can read", () => {
    // The search finds known text in both places.
    expect(asleep.known.filter((path) => path.includes("/sessions/"))).not.toEqual([]);
    expect(asleep.known.filter((path) => path.includes("/worktrees/"))).not.toEqual([]);
    expect(asleep.leaks).toEqual([]);
  });

  it("sends the agent the issue's title and text first, and the wake in the same conversation", () => {
    const mine = journey.model.requests.filter(({ messages }) =>
      messages.some(({ content }) => content.includes("Work on issue #1 of") && content.includes("feat-dev")),
    );
    const first = mine[0]?.messages.filter(({ role }) => role === "user") ?? [];
    expect(first).toHaveLength(1);
    expect(first[0]?.content).toMatch(/# <<([\w-]{12})<< Add a farewell >>\1>>/);
    expect(first[0]?.content).toContain(
      "it never says goodbye. Please add a farewell in `src/farewell.txt`.",
    );

    const at = mine.findIndex(({ messages }) => messages.at(-1)?.content.includes("You are awake again"));
    const woken = mine[at];
    const before = mine[at - 1]?.messages ?? [];
    expect(before.length).toBeGreaterThan(3);
    expect(woken?.messages.slice(1, before.length)).toEqual(before.slice(1));
    expect(woken?.messages.at(-1)?.content).toContain("#2, which blocked you, was closed.");
  });

  it("says on the issue which issue it waits for", () => {
    const [comment] = commentsOf(1, "feat-dev-issue-1-blocked");
    expect(comment).toContain("blocked by #2");
    expect(
      journey.github
        .state()
        .issue(1)
        .blockedBy.map(({ number }) => number),
    ).toEqual([2]);
  });

  it("tells the person the reason, with a label that is removed afterwards", () => {
    const [comment] = commentsOf(3, "docs-dev-issue-3-escalated");
    expect(comment).toContain(
      "The issue asks for the licence in the README, but the repository has no licence.",
    );
    expect(comment).toContain("Which licence shall the README name?");
    const inOrder = journey.github.webhooks
      .deliveries()
      .toReversed()
      .flatMap(({ event, action, body }) =>
        event === "issues" && issueOf(body) === 3 && namesLabel(body, "needs-human") ? action : [],
      );
    expect(inOrder.slice(0, 2)).toEqual(["labeled", "unlabeled"]);
    // Its pull request waits for a review, and then for a person who merges it.
    expect(inOrder).toEqual(inOrder.map((_, index) => (index % 2 === 0 ? "labeled" : "unlabeled")));
    expect(journey.github.state().labels(3).toSorted()).toEqual([
      "documentation",
      "flotilla:approved",
      "needs-human",
    ]);
  });

  it("opens one pull request for each issue, which is on the issue's branch and names the issue", () => {
    const pulls = journey.github.state().pulls();
    expect(pulls.map(({ pull }) => pull.headRef).toSorted()).toEqual(
      Object.entries(CODERS)
        .map(([issue, role]) => `flotilla/${role}/issue-${issue}`)
        .toSorted(),
    );
    for (const { body, pull } of pulls) expect(body).toContain(`Closes #${pull.headRef.split("-").at(-1)}`);
  });

  it("pushes only to its agents' own branches, without force, and to their checkpoints", () => {
    const branches = Object.entries(CODERS).map(
      ([issue, role]) => `refs/heads/flotilla/${role}/issue-${issue}`,
    );
    const pushes = appPushes(journey);
    expect([...new Set(pushes.map(({ ref }) => ref))].toSorted()).toEqual(branches.toSorted());
    expect(pushes.filter(({ how }) => how !== "")).toEqual([]);
    const others = refsOnServer(journey).filter((ref) => !branches.includes(ref));
    expect(others).toContain("refs/heads/main");
    expect(
      others.filter((ref) => !/^refs\/(?:heads\/main$|pull\/\d+\/|flotilla\/checkpoints\/)/.test(ref)),
    ).toEqual([]);
  });

  it("finds the issue of which the fourth is a duplicate, and tells people", () => {
    const asked = journey.model.requests.filter(({ messages }) =>
      messages.some(({ content }) => content.includes("Work on issue #4 of")),
    );
    const told = asked.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(told[0]?.content).toContain("#2 (issue, open)");
    expect(told[1]?.content).toContain("The comment is posted.");
    const comments = journey.github
      .state()
      .comments(4)
      .filter(({ body }) => body.includes("Triage:"));
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain("**Triage: this looks like a duplicate of #2** (issue, open).");
  });

  it("keeps one status comment on each issue", () => {
    for (const issue of [1, 2, 3]) {
      expect(commentsOf(issue, "status")).toHaveLength(1);
      expect(commentsOf(issue, "status")[0]).toMatch(/\*\*COMPLETED\*\*[^]*\*\*COMPLETED\*\*/);
    }
  });

  it("settles each delivery at the first attempt, with a reason for each ignored one", () => {
    const rows = journey.rows("SELECT state, note, attempts FROM delivery");
    expect(rows.length).toBeGreaterThan(20);
    const bad = rows.filter(
      ({ state, note, attempts }) => attempts !== 0 || !(state === "done" || (state === "ignored" && note)),
    );
    expect(bad).toEqual([]);
  });

  it("sends the key with each model request, and offers each role only its tools", () => {
    const { requests } = journey.model;
    expect(new Set(requests.map(({ authorization }) => authorization)).size).toBe(1);
    const triage = requests.filter(({ messages }) => messages[0]?.content.includes("You are triage"));
    expect(triage.length).toBeGreaterThan(2);
    for (const { tools } of triage) {
      expect(tools).toContain("label");
      expect(tools).not.toContain("open_pr");
      expect(tools).not.toContain("bash");
    }
  });

  it("leaves a consistent database and no process when it is stopped", async () => {
    const sessions = journey.rows("SELECT session_id FROM session").map((row) => String(row["session_id"]));
    expect(await journey.violationsAfterStop()).toEqual([]);
    expect(await journey.served().exited).toBe(0);
    // A triage of each issue; a coder and a reviewer of each but the fourth, which is a duplicate.
    expect(sessions).toHaveLength(10);
    // A process that was killed at the last moment may still be exiting.
    await until("all are gone", async () => (await processesOf(journey)).length === 0, 10);
  });

  function commentsOf(issue: number, key: string): readonly string[] {
    return journey.github
      .state()
      .comments(issue)
      .map(({ body }) => body)
      .filter((body) => parseMarker(body)?.key.replace(/-\d+$/, "") === key);
  }
});

function namesLabel(body: string, name: string): boolean {
  const payload: unknown = JSON.parse(body);
  return isObject(payload) && isObject(payload["label"]) && payload["label"]["name"] === name;
}

function issueOf(body: string): unknown {
  const payload: unknown = JSON.parse(body);
  return isObject(payload) && isObject(payload["issue"]) ? payload["issue"]["number"] : undefined;
}

import { expect, test } from "vitest";
import { control, unanswered } from "../../src/cli/control-client.ts";
import { faultOfOutside } from "../../src/domain/commands/operation-fault.ts";
import { GitHubError, OutsideError, StaleSnapshot } from "../../src/domain/kernel/errors.ts";
import { limitsOf } from "../engine/limits-of.ts";
import { agentOf, stateOf } from "../engine/look.ts";
import { methodOf } from "../engine/method-of.ts";
import { aRig } from "../engine/rig.ts";
import { blocked, commit, edit, escalate, on, openPr } from "../engine/scripts.ts";
import { AT } from "../factories/moment.ts";
import { KEY, served } from "./served-agents.ts";

const asleep = { script: [on(1, blocked(2))] };

/** What the command line says of a refusal, for people and with --json. */
function refusal(code: string, way: string, more: object = {}) {
  return { code, hint: expect.stringContaining(way), message: expect.stringMatching(/./), ...more };
}

test("an issue on which there never was any work has no task; an unknown agent of another is not found", async () => {
  const { say, dataDir } = await served(asleep);
  const act = { agent: "acme/shop:feat-dev-issue-3", id: "1", by: "operator:root" };
  expect(await control(dataDir, "/agents/kill", act)).toMatchObject({ status: 404 });
  for (const verb of ["send", "interrupt", "pause", "resume", "kill", "revive"]) {
    const words = verb === "send" ? ["Hello?"] : [];
    const { code, text } = await say([verb, "acme/shop:feat-dev-issue-3.2", ...words], { json: true });
    expect(code).toBe(1);
    expect(JSON.parse(text).error).toEqual(
      refusal("task_not_found", "/flotilla start", { issue: 3, retryable: false }),
    );
    const other = await say([verb, "acme/shop:docs-issue-1", ...words], { json: true });
    expect(JSON.parse(other.text).error).toMatchObject({ code: "not_found" });
  }
  const waiting = await say(["wait", "acme/shop:feat-dev-issue-3"], { for: "COMPLETED" });
  expect(waiting).toEqual({
    code: 1,
    text: expect.stringMatching(/^issue #3 has no task \(task_not_found\)\nlabel the issue/),
  });
});

test("an id that another request has had is refused, and the same request again is answered as before", async () => {
  const { dataDir } = await served(asleep);
  const body = { agent: KEY, id: "r1", by: "operator:root" };
  const first = await control(dataDir, "/agents/pause", body);
  expect(first).toMatchObject({ status: 200 });
  expect(await control(dataDir, "/agents/pause", body)).toEqual(first);
  expect(await control(dataDir, "/agents/resume", body)).toMatchObject({
    status: 422,
    body: { error: refusal("id_reused", "an id of its own", { id: "r1", retryable: false }) },
  });
});

test("resume at the turn limit is refused: a number of turns is what it waits for", async () => {
  const { rig, say } = await served({
    settings: limitsOf({ maxTurns: 3 }),
    script: [on(1, edit(), commit, openPr, edit("more.ts"))],
  });
  expect(await say(["resume", KEY])).toEqual({
    code: 1,
    text: "all 3 turns are used (turn_limit_exceeded)\n`/flotilla continue [n]` on the issue grants more turns",
  });
  const { text } = await say(["resume", KEY], { json: true });
  expect(JSON.parse(text).error).toEqual(
    refusal("turn_limit_exceeded", "/flotilla continue [n]", { turns: 3, retryable: false }),
  );
  expect(await stateOf(rig)).toBe("SLEEPING");
  // What a person holds besides is lifted, and nothing more.
  await say(["pause", KEY]);
  expect(await say(["resume", KEY])).toMatchObject({ code: 0 });
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval", heldBy: [] });
});

test("resume of an agent whose limit was raised twice is refused until somebody grants more", async () => {
  const { rig, say } = await served({ script: [on(1, escalate)] });
  const agent = await agentOf(rig);
  await rig.store.records.save("agent", agent, { ...agent, breaker: "max_tokens", extensions: 2 });
  const { code, text } = await say(["resume", KEY], { json: true });
  expect(code).toBe(1);
  expect(JSON.parse(text).error).toEqual(
    refusal("budget_exceeded", "/flotilla budget", { breaker: "max_tokens", retryable: false }),
  );
  expect(await rig.store.wakes.pending(agent.id)).toEqual([]);
});

const forbidden = new GitHubError("forbidden", "GitHub answered 403", 403, { consequence: "tell" });
const limited = { consequence: "park", retryAt: AT + 5 } as const;

test.each([
  [new GitHubError("rate_limited", "GitHub answered 429", 429, limited), 1, "rate_limited", true],
  [
    new GitHubError("unavailable", "no answer", 0, { consequence: "retry" }),
    2,
    "transport_unavailable",
    true,
  ],
  [forbidden, 1, "permission_denied", false],
  [new StaleSnapshot("task", 1), 1, "stale_snapshot", true],
  [new OutsideError("odd", "the issue was deleted", { consequence: "stop" }), 2, "internal", false],
])("revive that meets %s ends with %i and the code %s", async (met, exit, named, retryable) => {
  const { rig, say } = await served(asleep);
  await say(["kill", KEY]);
  const issue = methodOf(rig.github, "issue");
  rig.github.issue = () => Promise.reject(met);
  const { code, text } = await say(["revive", KEY], { json: true });
  expect(code).toBe(exit);
  expect(JSON.parse(text).error).toMatchObject({ code: named, retryable });
  rig.github.issue = issue;
  expect(await say(["revive", KEY])).toMatchObject({ code: 0 });
});

test("a socket of another account is no missing process: the right is missing", () => {
  const cause = Object.assign(new Error("connect EACCES"), { code: "EACCES" });
  expect(faultOfOutside(unanswered("/data", cause))).toMatchObject({ code: "permission_denied" });
  expect(faultOfOutside(unanswered("/data", new Error("connect ENOENT")))).toMatchObject({
    code: "transport_unavailable",
  });
});

test("an agent of a repository that nobody knows is not found", async () => {
  const rig = await aRig();
  await expect(
    rig.engine.operations.kill({
      agent: "acme/shop:feat-dev-issue-1",
      id: "a",
      by: "operator:root",
      reason: null,
    }),
  ).rejects.toMatchObject({ code: "not_found" });
});

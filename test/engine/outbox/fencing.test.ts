import { expect, it } from "vitest";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { advanceAgent, agentMove } from "../../../src/engine/kernel/advance-agent.ts";
import { HOUR } from "../../factories/moment.ts";
import { byHand } from "../../reach/record.ts";
import { agentOf, decisionsOn, taskOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import type { Rig } from "../rig.ts";
import { cancelled, early, toolsOf, withoutEffects } from "../tools-of.ts";

/** Ways in which an agent is not the holder any more. */
const GONE: Readonly<Record<string, (rig: Rig, agent: AgentRecord) => Promise<unknown>>> = {
  cancelled,
  failed: (rig, agent) =>
    byHand(() =>
      advanceAgent(rig.context, agent, {
        moves: [
          agentMove(agent, {
            type: "FAIL",
            at: rig.clock.now(),
            actor: "flotilla",
            reason: "lease lost",
            breaker: null,
            code: "lease_lost",
          }),
        ],
      }),
    ),
  "in a later period": async (rig, agent) => {
    const now = await agentOf(rig);
    await rig.store.records.save("agent", now, { ...now, token: agent.token + 1 });
  },
};
const WAYS = Object.keys(GONE);

const OUTPUTS: readonly (readonly [string, object])[] = [
  ["commit", { message: "Late" }],
  ["open_pr", { title: "Late", body: "Late." }],
  ["comment", { body: "Late." }],
  ["label", { name: "bug" }],
  ["create_blocker_issue", { title: "Late", body: "Late.", labels: [] }],
];

const OTHERS: readonly (readonly [string, object])[] = [
  ["submit_plan", { plan: "Late." }],
  ["report_complete", { summary: "Late." }],
  ["report_blocked", { blocker_issue: 2, reason: "Late." }],
  ["escalate_to_human", { reason: "Late.", category: "other" }],
  ["write_handoff", { summary: "Late.", next_action: "None." }],
];

const seen = async (rig: Rig) => ({
  writes: rig.github.writes.filter((write) => !/^(addLabels|removeLabel) 1$|^putComment 1$/.test(write)),
  comments: (rig.repository.comments.get(1) ?? []).filter(({ body }) => body.includes("Late")),
  labelled: rig.repository.issues.get(1)?.labels.includes("bug"),
  pulls: rig.repository.pulls.size,
  issues: rig.repository.issues.size,
  head: rig.worktrees.serverHead("flotilla/feat-dev/issue-1"),
});

it.each(WAYS)("nothing that an agent calls once it is %s is recorded or queued", async (way) => {
  const rig = await early();
  const { call, agent } = await toolsOf(rig);
  await GONE[way]?.(rig, agent);
  const effects = async () => (await rig.store.effects.find({ agentId: agent.id })).length;
  const before = await effects();
  for (const [tool, args] of OUTPUTS)
    expect(await call(tool, args)).toEqual({
      ok: false,
      text: "Your period is over; nothing was done.",
    });
  for (const [tool, args] of OTHERS) expect((await call(tool, args)).text).toMatch(/^Your period is over/);
  expect(await effects()).toBe(before);
  expect(await rig.store.intents.recorded(agent.id)).toBeUndefined();
});

/** What an agent said stands when it is awake again; what it did needs the very period. */
const LATE = OUTPUTS.flatMap(([tool, args]) =>
  WAYS.filter((way) => way !== "in a later period" || tool === "commit").map(
    (way) => [tool, way, args] as const,
  ),
);

it.each(LATE)(
  "%s that was queued before its agent was %s is not done, and a decision says so",
  async (tool, way, args) => {
    const rig = await early();
    const { call, agent } = await toolsOf(rig);
    const before = await seen(rig);
    await withoutEffects(rig, async () => {
      await call(tool, args);
      await GONE[way]?.(rig, agent);
    });
    await rig.engine.tick();
    await rig.until("it is settled", async () => {
      const rows = await rig.store.effects.find({ agentId: agent.id });
      return rows.filter(({ key }) => key.includes(":call-")).every(({ state }) => state === "skipped");
    });
    expect(await seen(rig)).toEqual(before);
    expect(await decisionsOn(rig)).toContain("moved_on");
  },
);

it("a commit is not done on a machine that does not have its agent's files, and a decision says so", async () => {
  const rig = await early();
  const { call, agent } = await toolsOf(rig);
  await withoutEffects(rig, async () => {
    await call("commit", { message: "Late" });
    const now = await agentOf(rig);
    await rig.store.records.save("agent", now, { ...now, node: "away" });
  });
  await rig.engine.tick();
  const mine = async () => (await rig.store.effects.find({ agentId: agent.id, kind: "commit" })).at(-1);
  await rig.until("it is settled", async () => (await mine())?.state === "skipped");
  expect((await seen(rig)).head).toBeNull();
  expect(await decisionsOn(rig)).toContain("moved_on");
});

it("a comment that was queued before its agent fell asleep in good order is written", async () => {
  const rig = await early();
  const { call, agent } = await toolsOf(rig);
  await call("comment", { body: "Late." });
  const now = await agentOf(rig);
  const wait = {
    type: "WAIT",
    at: rig.clock.now(),
    actor: "flotilla",
    reason: "time",
    dueAt: rig.clock.now() + HOUR,
  } as const;
  await byHand(() =>
    advanceAgent(rig.context, now, {
      moves: [agentMove(agent, { ...wait, crash: false, breaker: null, detail: "an hour" })],
    }),
  );
  await rig.engine.tick();
  await rig.until("it is there", async () => (await seen(rig)).comments.length === 1);
  expect(await decisionsOn(rig)).not.toContain("moved_on");
});

it("a push does not follow a commit during which its agent lost the task", async () => {
  const rig = await early();
  const { call, agent } = await toolsOf(rig);
  const head = rig.worktrees.serverHead("flotilla/feat-dev/issue-1");
  const make = methodOf(rig.worktrees, "commit");
  rig.worktrees.commit = async (...args) => {
    rig.worktrees.commit = make;
    await cancelled(rig, agent);
    return make(...args);
  };
  const pushes: unknown[] = [];
  const push = methodOf(rig.worktrees, "push");
  rig.worktrees.push = (...args) => {
    pushes.push(args);
    return push(...args);
  };
  await call("commit", { message: "Late" });
  await rig.engine.tick();
  const mine = async () => (await rig.store.effects.find({ agentId: agent.id, kind: "commit" })).at(-1);
  await rig.until("it is settled", async () => (await mine())?.state === "done");
  expect((await mine())?.result).toEqual({ commit: null, stale: true });
  expect(pushes).toEqual([]);
  expect(rig.worktrees.serverHead("flotilla/feat-dev/issue-1")).toBe(head);
});

it("what comes of a pull request that was opened while its agent was ended moves neither agent nor task", async () => {
  const rig = await early();
  const { call, agent } = await toolsOf(rig);
  await call("commit", { message: "In time" });
  await rig.engine.tick();
  await rig.until("it is pushed", async () => (await agentOf(rig)).headCommit !== null);
  const open = methodOf(rig.github, "openPullRequest");
  rig.github.openPullRequest = async (...args) => {
    await cancelled(rig, agent);
    return open(...args);
  };
  await call("open_pr", { title: "Late", body: "Late." });
  await rig.engine.tick();
  await rig.until("it is known", async () => (await agentOf(rig)).prNumber !== null);
  expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED", reason: "enough" });
  expect(await taskOf(rig)).toMatchObject({ state: "UNCLAIMED", assigneeId: null });
});

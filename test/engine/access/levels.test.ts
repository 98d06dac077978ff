import { expect, it } from "vitest";
import type { Level } from "../../../src/domain/access/level.ts";
import { ROLES } from "../../factories/a-role.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { asks } from "../asking.ts";
import { agentOf, answersTo, decisionsOn, stateOf, taskOf } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig, type RigOptions } from "../rig.ts";
import { blocked, call, commit, complete, edit, escalate, on, openPr, review, work } from "../scripts.ts";

const at = (level: Level, options: RigOptions = {}) =>
  aRig({ ...options, settings: { level, ...options.settings } });

async function whys(rig: Rig): Promise<readonly string[]> {
  const rows = await rig.store.decisions.ofIssue(REPOSITORY.id, 1, 100);
  return rows.flatMap(({ rule, reason }) => (rule === "withheld" ? [reason] : []));
}

const TOOLS = [...new Set(ROLES.flatMap((role) => role.tools))];
const ALL_TOOLS = rolesOf(...ROLES.map((role) => ({ ...role, tools: TOOLS })));

const speak = call("comment", { body: "I begin with the tests." });

it.each([
  ["observe", false, 0],
  ["comment", true, 0],
  ["draft", true, 1],
  ["pr", true, 1],
  ["merge", true, 1],
] as const)(
  "at %s an agent works to its end, and what leaves is what the level allows",
  async (level, speaks, pulls) => {
    const rig = await at(level, { script: [on(1, speak, ...work)] });
    await tell(rig, labeled(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(rig.github.writes.length > 0).toBe(speaks);
    expect(rig.repository.pulls.size).toBe(pulls);
    expect([...rig.repository.pulls.values()].map(({ draft }) => draft)).toEqual(
      pulls === 0 ? [] : [level === "draft"],
    );
    expect(rig.worktrees.serverHead("flotilla/feat-dev/issue-1") !== null).toBe(pulls > 0);
    expect(rig.worktrees.checkpointed.some(({ pushed }) => pushed)).toBe(pulls > 0);
  },
);

it("keeps what it would have written, and tells it as decisions", async () => {
  const rig = await at("observe", { script: [on(1, speak, ...work)] });
  await tell(rig, labeled(rig, 1));
  const told = await whys(rig);
  expect(told).toContainEqual(expect.stringContaining("would comment: I begin with the tests."));
  expect(told).toContainEqual(expect.stringContaining("would push a commit: Build it"));
  expect(told).toContainEqual(expect.stringContaining("would open a pull request: Build it"));
  const [opened] = await rig.store.effects.find({ kind: "open_pr" });
  expect(opened).toMatchObject({
    state: "skipped",
    result: { withheld: "observe", call: { name: "openPullRequest" } },
  });
  expect(JSON.stringify(opened?.result)).toContain("As asked.");
  const [status] = await rig.store.effects.find({ kind: "status_comment" });
  expect(JSON.stringify(status?.result)).toContain("### Flotilla");
});

it("tells the agent that its work stays here, and lets it report as if it stood", async () => {
  const rig = await at("comment", { script: [on(1, edit(), commit, openPr, review, complete)] });
  await tell(rig, labeled(rig, 1));
  const [, committed, opened, asked] = answersTo(rig);
  expect(committed).toMatch(/^Committed as .*, and not pushed: the level here is comment/);
  expect(opened).toContain("Not done: the level here is comment");
  expect(asked).toContain("your work stays on this machine");
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect((await taskOf(rig))?.state).toBe("UNCLAIMED");
  expect((await agentOf(rig)).headCommit).toBeNull();
});

it("still asks for the acceptance commands on work that stays here", async () => {
  const evidence = {
    commands: ["npm test"],
    timeoutMs: 1000,
    requiredChecks: ["ci"],
    maxBounces: 0,
    evaluatorThreshold: 0,
    screens: null,
  };
  const failing = await at("observe", { script: [on(1, ...work)], settings: { evidence } });
  failing.runner.ends.set("npm test", { exitCode: 1, output: "no" });
  await tell(failing, labeled(failing, 1));
  expect(await stateOf(failing)).toBe("CANCELLED");
  const passing = await at("observe", { script: [on(1, ...work)], settings: { evidence } });
  await tell(passing, labeled(passing, 1));
  expect(await stateOf(passing)).toBe("COMPLETED");
});

it.each([
  ["escalates", escalate, "Two specs contradict each other"],
  ["asks a question", asks(), "would ask people its question"],
] as const)(
  "at observe one that %s comes to an end that says so, and does not wait",
  async (_, step, words) => {
    const rig = await at("observe", { script: [on(1, step)], settings: { roles: ALL_TOOLS } });
    await tell(rig, labeled(rig, 1));
    const agent = await agentOf(rig);
    expect(agent.state).toBe("CANCELLED");
    expect(agent.reason).toContain("at which nobody is asked");
    expect(`${agent.reason}\n${(await whys(rig)).join("\n")}`).toContain(words);
    expect(rig.github.writes).toEqual([]);
  },
);

it("at comment one that escalates waits for its people, who are asked", async () => {
  const rig = await at("comment", { script: [on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("ESCALATED");
  expect(rig.repository.issues.get(1)?.labels).toContain("needs-human");
});

it("at observe an agent still waits for its blocker, of which GitHub is told nothing", async () => {
  const rig = await at("observe", { script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect((await rig.store.blockers.get(REPOSITORY.id, 1))?.blockers).toMatchObject([{ number: 2 }]);
  expect(rig.github.writes).toEqual([]);
  expect(await decisionsOn(rig)).toContain("withheld");
});

it("a label of the issue lowers its level, that of the repository counts where it has none", async () => {
  const settings = {
    level: "observe",
    levels: { repositories: { "acme/*": "pr" }, labels: { careful: "comment" } },
  } as const;
  const rig = await aRig({ settings, script: [on(1, ...work), on(2, ...work)] });
  const issue = rig.repository.issues.get(1);
  if (issue !== undefined) issue.labels = ["Careful"];
  await tell(rig, labeled(rig, 1));
  expect(rig.repository.pulls.size).toBe(0);
  await tell(rig, labeled(rig, 2));
  expect(rig.repository.pulls.size).toBe(1);
});

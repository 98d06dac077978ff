import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { ROLES } from "../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { agentOf, answersTo, stateOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { after, blocked, call, complete, edit, on, type Step, work } from "../scripts.ts";

const { policy, storm } = someSettings();
const opens = (title: string, labels?: readonly string[]): Step =>
  call("create_blocker_issue", { title, body: "What is needed. /flotilla start", labels });

/** A rig whose coders may open issues. */
function withIssues(options: RigOptions): Promise<Rig> {
  const roles = rolesOf(
    ...ROLES.map((role) => ({ ...role, tools: [...role.tools, "create_blocker_issue"] })),
  );
  return aRig({ issues: 1, ...options, settings: { roles, ...options.settings } });
}

const most = (issues: number) => ({ policy: { ...policy, maxOutputs: { ...policy.maxOutputs, issues } } });
const opened = (rig: Rig) =>
  [...rig.repository.issues.values()].filter(({ number, isPullRequest }) => number > 1 && !isPullRequest);

it("opens an issue that blocks the agent's own, waits for it, and continues when it is closed", async () => {
  const rig = await withIssues({
    script: [on(1, opens("A palette"), blocked(2), after("#2, which blocked you", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toContain("Issue #2 is open and blocks yours");
  expect(opened(rig)).toMatchObject([{ title: "A palette", labels: [] }]);
  expect(opened(rig)[0]?.body).toContain(
    "Opened by **feat-dev**, which works on #1 and waits until this issue is closed.",
  );
  expect([...(rig.repository.blockedBy.get(1) ?? [])]).toEqual([2]);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", blockedBy: [2] });
  await tell(rig, closed(rig, 2));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)[1]).toContain("#2, which blocked you, was closed.");
});

it("opens one issue of a title, whatever the agent asks and whenever it is cut off", async () => {
  const rig = await withIssues({ script: [on(1, opens("A palette"), opens("A palette"), complete)] });
  let cut = false;
  rig.onCrashPoint = (name) => {
    if (name !== "effect:create_blocker_issue" || cut) return;
    cut = true;
    rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it was cut off", () => cut);
  await rig.restart();
  await tell(rig, said(rig, 1, "/flotilla status"));
  expect(cut).toBe(true);
  expect(opened(rig)).toHaveLength(1);
  expect([...(rig.repository.blockedBy.get(1) ?? [])]).toEqual([2]);
});

it("puts labels that the repository has, and opens nothing with others or with the host's", async () => {
  const rig = await withIssues({
    script: [
      on(1, opens("One", ["P1"]), opens("Two", ["needs-human"]), opens("Three", ["unheard"]), complete),
    ],
  });
  rig.repository.labels.set("p1", "x");
  await tell(rig, labeled(rig, 1));
  const [one, two, three] = answersTo(rig);
  expect(one).toContain("Issue #2 is open");
  expect(two).toContain("the host's");
  expect(three).toContain('no label "unheard"');
  expect(opened(rig)).toMatchObject([{ title: "One", labels: ["p1"] }]);
});

it("opens the issue without a label that is deleted before it is put, and says so", async () => {
  const rig = await withIssues({ script: [on(1, opens("One", ["p1"]), complete)] });
  rig.repository.labels.set("p1", "x");
  const createIssue = methodOf(rig.github, "createIssue");
  rig.github.createIssue = async (ref, issue) => {
    rig.repository.labels.delete("p1");
    return createIssue(ref, issue);
  };
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toMatch(/Issue #2 is open.* No longer in the repository, so left out: "p1"\.$/);
  expect(opened(rig)).toMatchObject([{ title: "One", labels: [] }]);
});

it("counts the issues that an agent opens, each title once", async () => {
  const rig = await withIssues({
    settings: most(1),
    script: [on(1, opens("One"), opens("Two"), opens("One"), complete)],
  });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[1]).toContain("1 is the limit (policy.max_outputs.issues)");
  expect(answersTo(rig)[2]).toContain("Issue #2 is open");
  expect(opened(rig)).toHaveLength(1);
});

it("opens issues for issues that agents opened no deeper than storm.max_depth", async () => {
  const rig = await withIssues({
    settings: { storm: { ...storm, maxDepth: 1 } },
    script: [on(1, opens("One"), blocked(2)), on(2, opens("Two"), complete)],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, labeled(rig, 2));
  expect(answersTo(rig, 2)[0]).toContain("1 is the limit (storm.max_depth)");
  expect(opened(rig)).toHaveLength(1);
});

it("says of one that was opened before and is closed that it blocks no more", async () => {
  const rig = await withIssues({
    script: [
      on(1, opens("One"), blocked(2), after("which blocked you", opens("One")), edit(), ...work.slice(1)),
    ],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, closed(rig, 2));
  expect(answersTo(rig).join("\n")).toContain("Issue #2 of this title was opened before and is closed");
  expect(opened(rig)).toHaveLength(1);
});

it("knows its blocker on a server without dependencies too", async () => {
  const rig = await withIssues({ script: [on(1, opens("One"), blocked(2))] });
  const unsupported = new GitHubError("unsupported", "no such API", 404, { consequence: "stop" });
  rig.github.blockedBy = () => Promise.reject(unsupported);
  rig.github.addBlockedBy = () => Promise.reject(unsupported);
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", blockedBy: [2] });
  const open = { repository: "acme/shop", number: 2, open: true };
  expect((await rig.store.blockers.get(7, 1))?.blockers).toEqual([open]);
});

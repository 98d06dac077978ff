import { expect, it } from "vitest";
import { otherWorkOn } from "../../../src/engine/conversation/other-work.ts";
import { aRole, ROLES } from "../../factories/a-role.ts";
import { aDomainEvent, aPerson, aRepository } from "../../factories/an-occurrence.ts";
import { MINUTE } from "../../factories/moment.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { addIssue, person } from "../../fakes/github-world.ts";
import { agentOf, historyOf, stateOf, statusComments, taskOf, toldTo } from "../look.ts";
import { closed, labeled, pullClosed, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { after, blocked, call, edit, on, type Step, slowly, work } from "../scripts.ts";

/** Has no branch: it reads, and reports what it found. */
const RESEARCHER = aRole({
  name: "researcher",
  evidence: "outputs",
  triggers: [{ event: "issues.labeled", label: "research" }],
  capabilities: ["read"],
  tools: ["report_complete", "report_blocked", "escalate_to_human", "comment", "read_issue"],
  prompt: "You look into things.",
});
const OTHER = "feat-dev-issue-2";
const found = [call("comment", { body: "Seen." }), call("report_complete", { summary: "Use\nSQLite." })];

const waits = (...next: Step[]) =>
  on(1, blocked(2), after("#2, which blocked you", edit()), ...(next.length > 0 ? next : work.slice(1)));

async function waiting(options: Partial<RigOptions>): Promise<Rig> {
  const rig = await aRig({ settings: { roles: rolesOf(...ROLES, RESEARCHER) }, ...options });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("SLEEPING");
  return rig;
}

/** What the transition by which the run of the waiting agent continued rests on. */
async function handed(rig: Rig): Promise<unknown> {
  const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  return moves.findLast(({ event }) => event === "AGENT_COMPLETE")?.evidence;
}

it("hands over summary, branch, pull request and merge commit of the agent whose merged work closed the blocker", async () => {
  const rig = await waiting({ script: [waits(), on(2, ...work)] });
  await tell(rig, labeled(rig, 2));
  const { prNumber, branch } = await agentOf(rig, OTHER);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(statusComments(rig).at(-1)).toContain(
    `waits for #2: its pull request #${prNumber} waits for a merge`,
  );
  const commit = "c".repeat(40);
  await tell(rig, closed(rig, 2, { merged: prNumber ?? 0 }));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  const [, told = ""] = toldTo(rig);
  const words = [
    "#2, which blocked you, was closed.",
    `acme/shop:${OTHER} (feat-dev) worked on it: branch ${branch}, pull request #${prNumber}, merged as ${commit}.`,
    "It says of its work:",
    "> Built and tested.",
  ].join("\n");
  expect(told).toContain(`- The issue that blocked you is resolved: ${words}`);
  expect(await handed(rig)).toEqual({
    agents: [
      {
        agent_id: `acme/shop:${OTHER}`,
        output: {
          summary: "Built and tested.",
          branch,
          pull_request: `#${prNumber}`,
          merge_commit: commit,
        },
      },
    ],
  });
});

it("keeps what it reported as its summary although the merge gave it another reason", async () => {
  const review = call("request_review", { summary: "Built: please look." });
  const rig = await waiting({ script: [waits(), on(2, ...work.slice(0, 3), review)] });
  await tell(rig, labeled(rig, 2));
  const { prNumber } = await agentOf(rig, OTHER);
  await tell(rig, closed(rig, 2, { merged: prNumber ?? 0 }));
  expect((await agentOf(rig, OTHER)).reason).toBe(`#${prNumber} was merged`);
  expect(toldTo(rig)[1]).toContain("> Built: please look.");
});

it("ends the wait when the agent on the blocker completes and leaves nothing to merge, although the issue is open", async () => {
  const rig = await waiting({ script: [waits(), on(2, ...found)] });
  await tell(rig, labeled(rig, 2, { label: "research" }));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect(toldTo(rig)[1]).toContain(
    "#2, which blocked you, is still open, but the agent at work on it has completed and left nothing to merge.\nacme/shop:researcher-issue-2 (researcher) worked on it.\nIt says of its work:\n> Use\n> SQLite.",
  );
  expect(await handed(rig)).toMatchObject({
    agents: [{ output: { summary: "Use\nSQLite.", branch: null, pull_request: null, merge_commit: null } }],
  });
  expect((await agentOf(rig)).wakes).toBe(1);
});

it("waits for the issue when it reports the same blocker again after that", async () => {
  const again = after("left nothing to merge", blocked(2));
  const rig = await waiting({ script: [on(1, blocked(2), again), on(2, ...found)] });
  await tell(rig, labeled(rig, 2, { label: "research" }));
  await rig.pass(5 * MINUTE);
  await rig.pass(5 * MINUTE);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", blockedBy: [2], wakes: 1 });
});

it("ends the wait too when the other completed in the moment before it fell asleep", async () => {
  const rig = await aRig({
    settings: { roles: rolesOf(...ROLES, RESEARCHER) },
    script: [
      on(1, slowly(MINUTE, blocked(2)), after("left nothing to merge", edit()), ...work.slice(1)),
      on(2, ...found),
    ],
  });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.tick();
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  await rig.engine.handle(labeled(rig, 2, { label: "research" }));
  await rig.until("the other is done", async () => {
    const [other] = await rig.store.records.find("agent", { name: "researcher-issue-2" });
    return other?.state === "COMPLETED";
  });
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("waits for a pull request that is open, and no more when that is closed without a merge", async () => {
  const rig = await waiting({ script: [waits(), on(2, ...work)] });
  await tell(rig, labeled(rig, 2));
  const { prNumber } = await agentOf(rig, OTHER);
  await rig.pass(5 * MINUTE);
  await rig.pass(5 * MINUTE);
  expect(await stateOf(rig)).toBe("SLEEPING");
  await tell(rig, pullClosed(rig, prNumber ?? 0, { merged: false }));
  expect((await taskOf(rig, 2))?.state).toBe("UNCLAIMED");
  await rig.pass(5 * MINUTE);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)[1]).toContain(`pull request #${prNumber}, not merged.`);
});

it("is not woken by an agent that only ran once on the blocker", async () => {
  const sort = [call("comment", { body: "Sorted." }), call("report_complete", { summary: "Sorted." })];
  const rig = await waiting({ script: [waits(), on(2, ...sort)] });
  await tell(rig, said(rig, 2, "/flotilla start triage"));
  const [triage] = await rig.store.records.find("agent", { issue: 2 });
  expect(triage).toMatchObject({ role: "triage", state: "COMPLETED" });
  await rig.pass(5 * MINUTE);
  await rig.pass(5 * MINUTE);
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("hands over what an agent left in another repository, under that one's name", async () => {
  const lib = aRepository({ id: 8, name: "lib" });
  const rig = await aRig({
    settings: { roles: rolesOf(...ROLES, RESEARCHER) },
    script: [
      { match: "Work on issue #1 of acme/lib", steps: found },
      on(
        1,
        call("report_blocked", { blocker_issue: "acme/lib#1", reason: "needs it" }),
        after("acme/lib#1", edit()),
        ...work.slice(1),
      ),
    ],
  });
  const there = rig.github.add(lib);
  there.permissions.set("alice", "write");
  addIssue(there, { title: "API", author: person("alice") });
  for (const one of [lib, aRepository()]) await rig.store.repositories.put(one);
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("SLEEPING");
  const issue = there.issues.get(1);
  if (issue === undefined) throw new Error("there is no issue");
  issue.labels = ["research"];
  const label = { label: "research", own: false, personPull: null, strangersPulls: [] };
  const place = { delivery: "d-lib", at: rig.clock.now(), repository: lib, actor: aPerson("alice") };
  await tell(rig, aDomainEvent("issue_labeled", { ...place, issue: { ...issue }, ...label }));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)[1]).toContain("acme/lib:researcher-issue-1 (researcher) worked on it.");
  expect(await handed(rig)).toMatchObject({ agents: [{ agent_id: "acme/lib:researcher-issue-1" }] });
  // What was written in a private repository stays out of a public one.
  await rig.store.repositories.put({ ...lib, private: true });
  const summaryIn = async (home: { readonly private: boolean }) =>
    (await otherWorkOn(rig.store, { repositoryId: 8, issue: 1 }, { ...aRepository(), ...home }))?.summary;
  expect(await summaryIn({ private: false })).toBeNull();
  expect(await summaryIn({ private: true })).toBe("Use\nSQLite.");
});

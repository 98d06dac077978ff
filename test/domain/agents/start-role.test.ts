import { describe, expect, it } from "vitest";
import { NO_ATTRIBUTES } from "../../../src/domain/agents/agent-attributes.ts";
import { AGENT_STATES } from "../../../src/domain/agents/agent-record.ts";
import { type Cause, newAgentOf, startRole, tasksFor } from "../../../src/domain/agents/start-role.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { anIssue, aPerson } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf, whyOf } from "../kernel/changes-as-text.ts";

const cause: Cause = { at: AT, actor: "alice", issue: anIssue(), personPull: null };
const coder = aRole();
const triage = aRole({ name: "triage", evidence: "outputs", lifecycle: "ephemeral" });

describe("pull requests of people without permission", () => {
  const strangers = { ...cause, strangersPulls: [50, 51] };

  it("are named where a coder starts beside them, and hold nothing back", () => {
    const changes = startRole(coder, aView(), strangers);
    expect(movesOf(changes)).toEqual(["task new OPEN", "agent new CREATE"]);
    expect(rulesOf(changes)).toEqual(["strangers_pull"]);
    expect(whyOf(changes)).toBe(
      "people without write permission have pull requests #50, #51 open for this issue / say `/flotilla cancel` if you would rather use one of them",
    );
    expect(whyOf(startRole(coder, aView(), { ...cause, strangersPulls: [17] }))).toBe(
      "somebody without write permission has pull request #17 open for this issue / say `/flotilla cancel` if you would rather use #17",
    );
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("are not named where nothing starts, or no coder", () => {
    const locked = { ...strangers, issue: anIssue({ locked: true }) };
    expect(rulesOf(startRole(coder, aView(), locked))).toEqual(["locked"]);
    expect(rulesOf(startRole(triage, aView(), strangers))).toEqual([]);
  });
});

describe("a start", () => {
  it("of a coder opens the issue's task and then makes the agent", () => {
    const changes = startRole(coder, aView(), cause);
    expect(movesOf(changes)).toEqual(["task new OPEN", "agent new CREATE"]);
    expect(changes.moves[0]?.event).toEqual({
      type: "OPEN",
      at: AT,
      actor: "alice",
      repositoryId: 7,
      issue: 42,
      title: "Add a dark mode",
      draft: false,
      base: null,
    });
    expect(changes.moves[1]?.event).toMatchObject({
      actor: "alice",
      entry: { assignedTo: null },
    });
    expect(changes.decisions).toEqual([]);
  });

  it("of another role, or on a task that is there, opens none", () => {
    expect(movesOf(startRole(triage, aView(), cause))).toEqual(["agent new CREATE"]);
    const again = aView({ task: aTask({ state: "UNCLAIMED" }) });
    expect(movesOf(startRole(coder, again, cause))).toEqual(["agent new CREATE"]);
  });

  it("of a coder on an issue labelled draft opens a draft", () => {
    const draft = tasksFor(coder, aView(), {
      ...cause,
      base: null,
      issue: anIssue({ labels: ["draft"] }),
    });
    expect(draft[0]?.event).toMatchObject({ type: "OPEN", draft: true });
  });

  it.each([
    ["no_review", aRole({ evidence: "verdict" }), {}, {}],
    ["public_unconfined", coder, { private: false }, {}],
    ["locked", coder, {}, { issue: anIssue({ locked: true }) }],
    ["closed", coder, {}, { issue: anIssue({ state: "closed" }) }],
    ["assigned", coder, {}, { issue: anIssue({ assignees: [aPerson("bob")] }) }],
    ["person_pull", coder, {}, { personPull: 50 }],
    ["rival", coder, { agents: [anAgent()] }, {}],
  ] as const)("that stands against %s is a decision that people see", (rule, role, view, overrides) => {
    const changes = startRole(role, aView(view), { ...cause, ...overrides });
    expect(rulesOf(changes)).toEqual([rule]);
    expect(movesOf(changes)).toEqual([]);
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it.each(TASK_STATES)("of a coder on a task in %s continues only where it can take that", (state) => {
    const view = aView({ task: aTask({ state }) });
    const startable = ["DRAFT", "UNCLAIMED", "REJECTED", "INTEGRATION_FAILED"].includes(state);
    expect(rulesOf(startRole(coder, view, cause))).toEqual(startable ? [] : ["task"]);
    expect(rulesOf(startRole(triage, view, cause))).toEqual([]);
  });

  it("on a goal's tracking issue is a planner's, and no coder's", () => {
    const goal = { ...cause, issue: anIssue({ labels: ["Goal"] }) };
    const changes = startRole(coder, aView(), goal);
    expect(rulesOf(changes)).toEqual(["goal_issue"]);
    expect(movesOf(changes)).toEqual([]);
    const planner = aRole({ name: "planner", evidence: "outputs", tools: ["create_sub_issue"] });
    expect(movesOf(startRole(planner, aView(), goal))).toEqual(["agent new CREATE"]);
  });

  it("names who and what stands against it", () => {
    const assigned = { ...cause, issue: anIssue({ assignees: [aPerson("bob")] }) };
    expect(whyOf(startRole(coder, aView(), assigned))).toContain("@bob");
    expect(whyOf(startRole(coder, aView(), { ...cause, personPull: 50 }))).toContain("close #50");
    expect(whyOf(startRole(coder, aView({ agents: [anAgent()] }), cause))).toContain(
      "feat-dev-issue-42 already works on this issue (ACTIVE)",
    );
  });

  it("is not held up by a bot that the issue is assigned to", () => {
    const bot = anIssue({ assignees: [aPerson("helper", { type: "Bot" })] });
    expect(rulesOf(startRole(coder, aView(), { ...cause, issue: bot }))).toEqual([]);
  });

  it("of a role without code is not held up by a person's pull request", () => {
    expect(rulesOf(startRole(triage, aView(), { ...cause, personPull: 50 }))).toEqual([]);
  });

  it.each(AGENT_STATES)("beside an agent in %s continues only where that one is over", (state) => {
    const over = ["COMPLETED", "FAILED", "CANCELLED"].includes(state);
    const rule = over ? [] : ["rival"];
    expect(rulesOf(startRole(coder, aView({ agents: [anAgent({ state })] }), cause))).toEqual(rule);
  });

  it("has as rivals the same role, and another coder for a coder", () => {
    const other = anAgent({ role: "bug-fix", coder: true });
    const sorter = anAgent({ role: "triage", coder: false });
    expect(rulesOf(startRole(coder, aView({ agents: [other] }), cause))).toEqual(["rival"]);
    expect(rulesOf(startRole(coder, aView({ agents: [sorter] }), cause))).toEqual([]);
    expect(rulesOf(startRole(triage, aView({ agents: [other] }), cause))).toEqual([]);
    expect(rulesOf(startRole(triage, aView({ agents: [sorter] }), cause))).toEqual(["rival"]);
  });
});

describe("a birth", () => {
  it("of a coder has a branch and a name of its own", () => {
    expect(newAgentOf(coder, aView(), AT, null)).toEqual({
      repositoryId: 7,
      name: "feat-dev-issue-42",
      role: "feat-dev",
      issue: 42,
      attempt: 1,
      coder: true,
      ephemeral: false,
      planFirst: false,
      runtime: "copilot",
      mode: "continuous",
      branch: "flotilla/feat-dev/issue-42",
      parentAgentId: null,
      prNumber: null,
      ...NO_ATTRIBUTES,
    });
  });

  it("is the attempt after the highest of its role", () => {
    const agents = [
      anAgent({ attempt: 3, state: "FAILED" }),
      anAgent({ attempt: 2, state: "CANCELLED" }),
      anAgent({ role: "bug-fix", attempt: 9, state: "FAILED" }),
    ];
    expect(newAgentOf(coder, aView({ agents }), AT, null)).toMatchObject({
      attempt: 4,
      name: "feat-dev-issue-42.4",
      branch: "flotilla/feat-dev/issue-42-4",
    });
  });

  it("continues with the branch and pull request that are kept", () => {
    const kept = { branch: "flotilla/feat-dev/issue-42", prNumber: 50 };
    const view = aView({ agents: [anAgent({ state: "COMPLETED" })] });
    expect(newAgentOf(coder, view, AT, kept)).toMatchObject({ ...kept, attempt: 2 });
    expect(newAgentOf(coder, view, AT, { branch: null, prNumber: null })).toMatchObject({
      branch: "flotilla/feat-dev/issue-42-2",
      prNumber: null,
    });
  });

  it("of an ephemeral role has its time in its name and no branch", () => {
    expect(newAgentOf(triage, aView(), AT, null)).toMatchObject({
      name: "triage-issue-42-1766356800",
      ephemeral: true,
      coder: false,
      branch: null,
    });
  });
});

import { describe, expect, it } from "vitest";
import { AGENT_STATES, type AgentRecord, isLive } from "../../../src/domain/agents/agent-record.ts";
import type { Verb } from "../../../src/domain/commands/command.ts";
import { NO_GRANT } from "../../../src/domain/commands/extension.ts";
import { decide } from "../../../src/domain/decide.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand, anIssue, aPerson } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { movesOf, rulesOf, wakesOf } from "../kernel/changes-as-text.ts";

/** One agent in each state, with the state's place as its id. */
const everyone = AGENT_STATES.map((state, id) => anAgent({ id, state }));
const ids = (states: readonly AgentRecord["state"][]) => states.map((state) => AGENT_STATES.indexOf(state));
const said = (verb: Verb, agents: readonly AgentRecord[], rest = "") =>
  decide(aCommand(verb, rest), aView({ agents }));

const ALICES = { ...NO_GRANT, by: ["alice"] };
const stopped = (breaker: string | null, role = "feat-dev") =>
  anAgent({ state: "SLEEPING", sleepReason: "approval", breaker, role });

describe("a command that nobody can take", () => {
  it.each(["pause", "resume", "continue", "complete", "cancel", "release", "answer", "retry"] as const)(
    "%s is a decision",
    (verb) => {
      expect(rulesOf(said(verb, []))).toEqual(["nobody_concerned"]);
      expect(rulesOf(said(verb, [anAgent({ state: "COMPLETED" })]))).toEqual(["nobody_concerned"]);
    },
  );

  it.each([
    ["APPROVED", "merge #50, or close it and say `/flotilla start [role]`; a review that requests changes"],
    ["READY_FOR_REVIEW", "review #50: a review that requests changes reopens the work"],
  ] as const)("names the coder of %s work and what works there", (state, change) => {
    const coder = anAgent({ id: 11, state: "COMPLETED", prNumber: 50 });
    const reviewer = anAgent({ id: 12, state: "COMPLETED", role: "reviewer", coder: false });
    const view = aView({ agents: [coder, reviewer], task: aTask({ state, assigneeId: 11 }) });
    for (const verb of ["set", "retry", "resume"] as const) {
      const [decision] = decide(aCommand(verb, verb === "set" ? "tag=x" : ""), view).decisions;
      expect(decision?.reason).toBe("feat-dev-issue-42 is COMPLETED");
      expect(decision?.change).toContain(change);
    }
  });

  it.each(["status", "why"] as const)("%s is answered by what is shown", (verb) => {
    expect(rulesOf(said(verb, everyone))).toEqual(["asked"]);
    expect(movesOf(said(verb, everyone))).toEqual([]);
  });
});

describe("commands to live agents", () => {
  it("pause holds all but the escalated ones, and says by whom", () => {
    const changes = said("pause", everyone);
    const held = ids(["CREATED", "ACTIVE", "SLEEPING"]);
    expect(movesOf(changes)).toEqual(held.map((id) => `agent ${id} PAUSE`));
    expect(changes.moves[0]?.event).toMatchObject({ holder: "person", why: "paused by @alice" });
  });

  it.each([
    ["complete", "COMPLETE", { cause: "person", summary: "@alice declared it complete." }],
    ["cancel", "CANCEL", { why: "@alice cancelled it" }],
    ["release", "CANCEL", { why: "@alice released the issue and its branch" }],
  ] as const)("%s moves every live one", (verb, event, fields) => {
    const changes = said(verb, everyone);
    const live = everyone.filter(isLive).map(({ id }) => `agent ${id} ${event}`);
    expect(movesOf(changes)).toEqual(live);
    expect(changes.moves[0]?.event).toMatchObject({ ...fields, actor: "alice" });
  });
});

describe("the command resume", () => {
  it("lifts what a person and a commit hold", () => {
    const agents = [
      anAgent({ id: 1, state: "CREATED", heldBy: ["person"] }),
      anAgent({ id: 2, state: "SLEEPING", heldBy: ["commit"] }),
      anAgent({ id: 3, state: "SLEEPING" }),
    ];
    const changes = said("resume", agents);
    expect(movesOf(changes)).toEqual(["agent 1 RESUME", "agent 2 RESUME"]);
    expect(changes.moves[0]?.event).toMatchObject({
      holders: ["person", "commit", "invariant"],
      grant: null,
    });
    expect(wakesOf(changes)).toEqual([]);
  });

  it("wakes those that sleep because they were paused, and the escalated ones", () => {
    const agents = [
      anAgent({ id: 1, state: "SLEEPING", sleepReason: "paused", heldBy: ["person"] }),
      anAgent({ id: 2, state: "ESCALATED" }),
      anAgent({ id: 3 }),
    ];
    const changes = said("resume", agents);
    expect(movesOf(changes)).toEqual(["agent 1 RESUME"]);
    expect(wakesOf(changes)).toEqual(["1 resumed", "2 resumed"]);
    expect(changes.wakes[1]).toMatchObject({ detail: "@alice says: continue.", grant: null });
  });
});

describe("the command continue", () => {
  it.each([
    ["max_turns", "20", { ...ALICES, turns: 20 }],
    ["max_turns", "", { ...ALICES, turns: 50 }],
    ["max_turns", "as long as you like", { ...ALICES, turns: 50 }],
    ["max_turns", " 7 ", { ...ALICES, turns: 7 }],
    ["max_tool_calls", "20", { ...ALICES, toolCalls: 20 }],
    ["max_tool_calls", "", null],
    ["max_iterations", "2", { ...ALICES, wakes: 2 }],
    ["max_tokens", "2", null],
    ["max_sleep_duration", "2", null],
  ] as const)("at the limit %s with %j grants %j", (breaker, rest, grant) => {
    const changes = said("continue", [stopped(breaker)], rest);
    expect(wakesOf(changes)).toEqual(["11 approval"]);
    expect(changes.wakes[0]).toMatchObject({
      grant,
      detail: expect.stringMatching(/^@alice says.*: continue\./),
    });
  });

  it("grants the role's own turns, or the usual ones where the role is gone", () => {
    const settings = someSettings({ roles: rolesOf(aRole({ limits: { maxTurns: 8 } })) });
    const agents = [stopped("max_turns"), stopped("max_turns", "gone")];
    const { wakes } = decide(aCommand("continue"), aView({ agents, settings }));
    expect(wakes.map(({ grant }) => grant?.turns)).toEqual([8, 50]);
  });

  it("grants nobody anything where one of the grants is over the ceiling", () => {
    const changes = said("continue", [stopped("max_tool_calls"), stopped("max_turns")], "201");
    expect(rulesOf(changes)).toEqual(["turn_ceiling"]);
    expect(wakesOf(changes)).toEqual([]);
    expect(wakesOf(said("continue", [stopped("max_turns")], "200"))).toEqual(["11 approval"]);
  });

  it("reaches the escalated ones and those that wait at a limit, not one whose call waits for an answer", () => {
    const waiting = anAgent({ id: 20, state: "SLEEPING", sleepReason: "approval" });
    const agents = [...everyone, waiting, { ...waiting, id: 21, breaker: "max_turns" }];
    const escalated = ids(["ESCALATED"]);
    expect(wakesOf(said("continue", agents))).toEqual([...escalated, 21].map((id) => `${id} approval`));
    expect(rulesOf(said("continue", [waiting]))).toEqual(["nobody_concerned"]);
  });
});

describe("the command cancel", () => {
  it("gives up work that needed replanning, with its agent or without", () => {
    const task = aTask({ state: "BLOCKED", blockedReason: "review_deadlock" });
    const cancel = (agents: readonly AgentRecord[]) =>
      movesOf(decide(aCommand("cancel"), aView({ agents, task })));
    expect(cancel([anAgent({ state: "ESCALATED" })])).toEqual(["agent 11 CANCEL", "task 41 ABANDON"]);
    expect(cancel([anAgent({ state: "FAILED" })])).toEqual(["task 41 ABANDON"]);
  });

  it("gives up nothing that does not", () => {
    const view = aView({ agents: [anAgent({ state: "FAILED" })], task: aTask({ state: "UNCLAIMED" }) });
    expect(rulesOf(decide(aCommand("cancel"), view))).toEqual(["nobody_concerned"]);
  });
});

describe("the command answer", () => {
  it("reaches those that need a person, with the words and where they stand", () => {
    const agents = [
      anAgent({ id: 1, state: "ESCALATED" }),
      anAgent({ id: 2, state: "SLEEPING", sleepReason: "question" }),
      anAgent({ id: 3, state: "SLEEPING", sleepReason: "blocked" }),
    ];
    const changes = said("answer", agents, "Blue.");
    expect(wakesOf(changes)).toEqual(["1 answer"]);
    expect(changes.wakes[0]?.detail).toMatch(/^@alice answers \(https:.+\):\n\nBlue\.$/);
  });
});

describe("the command retry", () => {
  const failed = anAgent({ state: "FAILED", reason: "It broke." });

  it.each(["FAILED", "CANCELLED"] as const)("makes a new attempt of one that is %s", (state) => {
    const changes = said("retry", [anAgent({ state })]);
    expect(movesOf(changes)).toEqual(["task new OPEN", "agent new REVIVE"]);
    expect(changes.moves[1]?.event).toMatchObject({
      newAgent: { attempt: 2, branch: "flotilla/feat-dev/issue-42-2", prNumber: null },
      previous: { id: 11, state },
    });
  });

  it("cancels an escalated one first, whose task is there already", () => {
    const agents = [anAgent({ state: "ESCALATED" })];
    const changes = decide(aCommand("retry"), aView({ agents, task: aTask() }));
    expect(movesOf(changes)).toEqual(["agent 11 CANCEL", "agent new REVIVE"]);
    expect(changes.moves[0]?.event).toMatchObject({ why: "@alice asked for a new attempt" });
    expect(changes.moves[1]?.event).toMatchObject({ previous: { id: 11, state: "CANCELLED" } });
  });

  it("does not take a task that another attempt has brought into review", () => {
    const task = aTask({ state: "READY_FOR_REVIEW", assigneeId: 12 });
    for (const state of ["FAILED", "ESCALATED"] as const) {
      const changes = decide(aCommand("retry"), aView({ agents: [anAgent({ state })], task }));
      expect(rulesOf(changes)).toEqual(["task"]);
      expect(movesOf(changes)).toEqual([]);
    }
  });

  it.each(["CLAIMED", "READY_FOR_REVIEW", "INTEGRATION_FAILED"] as const)(
    "takes a task in %s that the cancelled attempt gives back",
    (state) => {
      const view = aView({ agents: [anAgent({ state: "ESCALATED" })], task: aTask({ state }) });
      expect(movesOf(decide(aCommand("retry"), view))).toEqual(["agent 11 CANCEL", "agent new REVIVE"]);
    },
  );

  it("makes a task that needed replanning free first, for a coder", () => {
    const task = aTask({ state: "BLOCKED", blockedReason: "coders_failed" });
    expect(movesOf(decide(aCommand("retry"), aView({ agents: [failed], task })))).toEqual([
      "task 41 RESCOPE",
      "agent new REVIVE",
    ]);
    const triage = anAgent({ role: "triage", coder: false, state: "FAILED" });
    expect(movesOf(decide(aCommand("retry"), aView({ agents: [triage], task })))).toEqual([
      "agent new REVIVE",
    ]);
  });

  it("takes the latest of several", () => {
    const agents = [anAgent({ id: 1, state: "FAILED" }), anAgent({ id: 2, attempt: 2, state: "CANCELLED" })];
    const changes = said("retry", agents);
    expect(changes.moves.at(-1)?.event).toMatchObject({ previous: { id: 2 }, newAgent: { attempt: 3 } });
  });

  it("of a role that is gone is not possible", () => {
    expect(rulesOf(said("retry", [anAgent({ state: "FAILED", role: "gone" })]))).toEqual(["no_role"]);
  });

  it.each([
    ["person_pull", { personPull: 50 }],
    ["assigned", { issue: anIssue({ assignees: [aPerson("bob")] }) }],
    ["closed", { issue: anIssue({ state: "closed" }) }],
  ] as const)("is held up by what holds up every start: %s", (rule, overrides) => {
    const changes = decide(aCommand("retry", "", overrides), aView({ agents: [failed] }));
    expect(rulesOf(changes)).toEqual([rule]);
    expect(movesOf(changes)).toEqual([]);
  });

  it("is held up by another agent that works, and cancels nothing then", () => {
    const agents = [failed, anAgent({ id: 12, attempt: 2, state: "SLEEPING" })];
    expect(rulesOf(said("retry", agents))).toEqual(["rival"]);
    expect(movesOf(said("retry", agents))).toEqual([]);
  });
});

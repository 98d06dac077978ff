import { describe, expect, it } from "vitest";
import { AGENT_STATES, isLive } from "../../../src/domain/agents/agent-record.ts";
import { VERBS } from "../../../src/domain/commands/command.ts";
import { decide } from "../../../src/domain/decide.ts";
import type { ChangeSet } from "../../../src/domain/kernel/change-set.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand, aDomainEvent, anIssue } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { effectsOf, movesOf, rulesOf, saidBy, wakesOf, whyOf } from "../kernel/changes-as-text.ts";

const comment = (overrides: Parameters<typeof aDomainEvent<"commented">>[1] = {}) =>
  aDomainEvent("commented", overrides);

describe("a comment of somebody without write permission", () => {
  it.each(VERBS)("does nothing by the command %s", (verb) => {
    const changes = decide(
      aCommand(verb, "x", { permitted: false }),
      aView({ agents: [anAgent({ state: "ESCALATED" })] }),
    );
    expect(rulesOf(changes)).toEqual(["not_permitted"]);
    expect([...movesOf(changes), ...wakesOf(changes), ...effectsOf(changes)]).toEqual([]);
  });

  it("does nothing by a mention, and is just talk without one", () => {
    const view = aView({ agents: [anAgent({ state: "ESCALATED" })] });
    expect(rulesOf(decide(comment({ permitted: false, mention: true }), view))).toEqual(["not_permitted"]);
    expect(rulesOf(decide(comment({ permitted: false }), view))).toEqual(["talk"]);
  });
});

describe("a comment without a command", () => {
  it("answers the escalated agents, mention or not", () => {
    const agents = [anAgent({ id: 1, state: "ESCALATED" }), anAgent({ id: 2, state: "SLEEPING" })];
    for (const mention of [true, false])
      expect(wakesOf(decide(comment({ mention }), aView({ agents })))).toEqual(["1 answer"]);
    const changes = decide(comment({ body: "Blue." }), aView({ agents }));
    expect(changes.wakes[0]?.detail).toBe(
      "@alice says (https://github.example/acme/shop/issues/42#issuecomment-900):\n\nBlue.",
    );
  });

  it("that mentions us is a message to every live agent", () => {
    const agents = AGENT_STATES.filter((state) => state !== "ESCALATED").map((state, id) =>
      anAgent({ id, state }),
    );
    const expected = agents.filter(isLive).map(({ id }) => `${id} message`);
    expect(wakesOf(decide(comment({ mention: true }), aView({ agents })))).toEqual(expected);
  });

  it("that mentions us where nobody works says what to do", () => {
    const changes = decide(comment({ mention: true }), aView());
    expect(rulesOf(changes)).toEqual(["nobody_concerned"]);
    expect(whyOf(changes)).toContain("/flotilla start");
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("that does not mention us is just talk", () => {
    expect(rulesOf(decide(comment(), aView({ agents: [anAgent()] })))).toEqual(["talk"]);
  });
});

describe("a command that does not exist", () => {
  it("gets one answer with the nearest and all that do", () => {
    const command = { verb: "unknown", given: "stauts", nearest: "status" } as const;
    const changes = decide(comment({ command }), aView());
    expect(rulesOf(changes)).toEqual(["unknown_command"]);
    expect(saidBy(changes)).toContain("There is no command `stauts`. Did you mean `/flotilla status`?");
    for (const verb of VERBS) expect(saidBy(changes)).toContain(`\`${verb}\``);
    expect(changes.effects).toMatchObject([
      { kind: "post_comment" },
      { kind: "react", commentId: 900, reaction: "confused" },
    ]);
  });

  it("that stands further down is not carried out, and its author reads why", () => {
    const command = { verb: "late", given: "start" } as const;
    const changes = decide(comment({ command }), aView());
    expect(rulesOf(changes)).toEqual(["late_command"]);
    expect(changes.decisions[0]?.change).toBe("repeat it as the first line of a new comment");
    expect(movesOf(changes)).toEqual([]);
    expect(saidBy(changes)).toContain("`start` was not carried out: a command counts only as the first line");
    const strangers = decide(comment({ command, permitted: false }), aView());
    expect([rulesOf(strangers), strangers.effects]).toEqual([["not_permitted"], []]);
  });

  it("gets no guess when nothing is near", () => {
    const command = { verb: "unknown", given: "deploy", nearest: null } as const;
    expect(saidBy(decide(comment({ command }), aView()))).not.toContain("Did you mean");
  });
});

const reactionTo = ({ effects }: ChangeSet) => effects.find(({ kind }) => kind === "react");

describe("a command that was understood", () => {
  const refusal = { kind: "react", commentId: 900, place: "issue", reaction: "confused" };

  it.each(VERBS)("%s gets a reaction and the status comment, whatever comes of it", (verb) => {
    const changes = decide(aCommand(verb), aView());
    const asks = verb === "status" || verb === "why";
    const command = { verb, by: "alice", delivery: "d-1" };
    expect(reactionTo(changes)).toEqual({ ...refusal, reaction: asks ? "+1" : "confused", command });
    expect(changes.effects).toContainEqual({ kind: "status_comment" });
  });

  it.each(VERBS.filter((verb) => verb !== "status"))("%s without an agent is told why, once", (verb) => {
    const said = effectsOf(decide(aCommand(verb), aView()));
    expect(said.filter((kind) => kind === "post_comment")).toHaveLength(1);
  });

  it("is refused with the reason and what is meant instead", () => {
    expect(saidBy(decide(aCommand("pause"), aView()))).toBe(
      "`/flotilla pause` changes nothing: no agent works on this issue.\n\nInstead: label it, or say `/flotilla start [role]`.",
    );
    const view = aView({
      agents: [anAgent({ state: "FAILED" })],
      settings: someSettings({ roles: rolesOf() }),
    });
    expect(saidBy(decide(aCommand("retry"), view))).toContain("there is no role feat-dev any more");
    const settings = someSettings({ roles: rolesOf(aRole({ name: "reviewer", evidence: "verdict" })) });
    expect(saidBy(decide(aCommand("start", "reviewer"), aView({ settings })))).toMatch(
      /changes nothing: nothing of #42 is up for review/,
    );
  });

  it.each([
    [
      "resume",
      anAgent({ state: "SLEEPING", sleepReason: "approval", breaker: "max_turns" }),
      "SLEEPING (approval at the limit max_turns)",
      "/flotilla continue [n]",
    ],
    [
      "resume",
      anAgent({ state: "SLEEPING", sleepReason: "approval" }),
      "waits for a person's approval",
      "/flotilla approve [hash]",
    ],
    [
      "resume",
      anAgent({ state: "SLEEPING", sleepReason: "blocked" }),
      "SLEEPING (blocked)",
      "what it waits for wakes it",
    ],
    [
      "continue",
      anAgent({ state: "SLEEPING", sleepReason: null, heldBy: ["person"] }),
      "is held: a person paused it",
      "`/flotilla resume` on the issue lets it continue",
    ],
    ["resume", anAgent(), "is ACTIVE", "it continues automatically"],
    ["pause", anAgent({ state: "ESCALATED" }), "is ESCALATED", "answer it"],
    ["retry", anAgent({ state: "CREATED" }), "is CREATED", "`/flotilla cancel` ends it first"],
    ["pause", anAgent({ state: "FAILED" }), "is FAILED", "/flotilla retry"],
    ["cancel", anAgent({ state: "COMPLETED" }), "is COMPLETED", "/flotilla start [role]"],
    ["approve", anAgent(), "no call of this issue's agents waits for a person", "/flotilla continue"],
  ] as const)("%s of $name says how it stands and what is meant: %#", (verb, agent, stands, instead) => {
    const said = saidBy(decide(aCommand(verb), aView({ agents: [agent] })));
    expect(said).toContain(stands);
    expect(said).toContain(instead);
  });

  it("that is taken gets no answer but the thumb and the status comment", () => {
    const changes = decide(aCommand("pause", "", { place: "review" }), aView({ agents: [anAgent()] }));
    expect(saidBy(changes)).toBe("");
    expect(reactionTo(changes)).toMatchObject({ reaction: "+1", place: "review" });
  });
});

describe("the command start", () => {
  it("starts the role that it names", () => {
    const changes = decide(aCommand("start", "bug-fix"), aView());
    expect(movesOf(changes)).toEqual(["task new OPEN", "agent new CREATE"]);
    expect(changes.moves[1]?.event).toMatchObject({ newAgent: { role: "bug-fix" }, actor: "alice" });
  });

  it("without a name starts the first role that a label of the issue names", () => {
    const issue = anIssue({ labels: ["question", "documentation", "bug"] });
    const changes = decide(aCommand("start", "", { issue }), aView());
    expect(changes.moves[1]?.event).toMatchObject({ newAgent: { role: "docs-dev" } });
  });

  it.each([
    ["", "no label of this issue names a role."],
    ["nobody", "there is no role `nobody`."],
    ["constructor", "there is no role `constructor`."],
    ["x".repeat(60_000), `there is no role \`${"x".repeat(59)}…\`.`],
  ])("with %j says which roles there are", (rest, what) => {
    const changes = decide(aCommand("start", rest), aView());
    expect(rulesOf(changes)).toEqual(["unknown_role"]);
    expect(saidBy(changes)).toContain(what);
    expect(saidBy(changes)).toContain("`triage`, `feat-dev`, `bug-fix`, `docs-dev`.");
    expect(movesOf(changes)).toEqual([]);
  });

  it("does not start beside a person's pull request", () => {
    expect(rulesOf(decide(aCommand("start", "feat-dev", { personPull: 50 }), aView()))).toEqual([
      "person_pull",
    ]);
  });

  it("makes a draft ready first, for a coder", () => {
    const view = aView({ task: aTask({ state: "DRAFT" }) });
    expect(movesOf(decide(aCommand("start", "feat-dev"), view))).toEqual([
      "task 41 FINALIZE",
      "agent new CREATE",
    ]);
    expect(movesOf(decide(aCommand("start", "triage"), view))).toEqual(["agent new CREATE"]);
  });

  it("makes a task that needed replanning free first, for a coder that can start", () => {
    const view = aView({ task: aTask({ state: "BLOCKED", blockedReason: "coders_failed" }) });
    expect(movesOf(decide(aCommand("start", "feat-dev"), view))).toEqual([
      "task 41 RESCOPE",
      "agent new CREATE",
    ]);
    expect(movesOf(decide(aCommand("start", "feat-dev", { personPull: 50 }), view))).toEqual([]);
  });

  it("ends the coder that waits there for a person, for the one that is named", () => {
    const waiting = anAgent({ state: "ESCALATED", role: "bug-fix", category: "replanning" });
    const view = aView({
      agents: [waiting],
      task: aTask({ state: "BLOCKED", blockedReason: "Two things." }),
    });
    expect(movesOf(decide(aCommand("start", "feat-dev"), view))).toEqual([
      `agent ${waiting.id} CANCEL`,
      "task 41 RESCOPE",
      "agent new CREATE",
    ]);
    const same = { ...view, agents: [{ ...waiting, role: "feat-dev" }] };
    expect(movesOf(decide(aCommand("start", "feat-dev"), same))).toEqual([
      `agent ${waiting.id} CANCEL`,
      "task 41 RESCOPE",
      "agent new REVIVE",
    ]);
    expect(movesOf(decide(aCommand("start", "feat-dev", { personPull: 50 }), view))).toEqual([]);
  });
});

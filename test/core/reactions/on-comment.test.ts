import { describe, expect, it } from "vitest";
import { VERBS } from "../../../src/core/command.ts";
import { AGENT_STATES, isLive } from "../../../src/core/machines/agent-record.ts";
import { react } from "../../../src/core/react.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand, anIssue, anOccurrence } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf, saidBy, wakesOf, whyOf } from "./told-of.ts";

const comment = (overrides: Parameters<typeof anOccurrence<"commented">>[1] = {}) =>
  anOccurrence("commented", overrides);

describe("a comment of somebody without write permission", () => {
  it.each(VERBS)("does nothing by the command %s", (verb) => {
    const reaction = react(
      aCommand(verb, "x", { permitted: false }),
      aView({ agents: [anAgent({ state: "ESCALATED" })] }),
    );
    expect(rulesOf(reaction)).toEqual(["not_permitted"]);
    expect([...movesOf(reaction), ...wakesOf(reaction), ...effectsOf(reaction)]).toEqual([]);
  });

  it("does nothing by a mention, and is just talk without one", () => {
    const view = aView({ agents: [anAgent({ state: "ESCALATED" })] });
    expect(rulesOf(react(comment({ permitted: false, mention: true }), view))).toEqual(["not_permitted"]);
    expect(rulesOf(react(comment({ permitted: false }), view))).toEqual(["talk"]);
  });
});

describe("a comment without a command", () => {
  it("answers the escalated agents, mention or not", () => {
    const agents = [anAgent({ id: 1, state: "ESCALATED" }), anAgent({ id: 2, state: "SLEEPING" })];
    for (const mention of [true, false])
      expect(wakesOf(react(comment({ mention }), aView({ agents })))).toEqual(["1 answer"]);
    const reaction = react(comment({ body: "Blue." }), aView({ agents }));
    expect(reaction.wakes[0]?.detail).toBe(
      "@alice says (https://github.example/acme/shop/issues/42#issuecomment-900):\n\nBlue.",
    );
  });

  it("that mentions us is a message to every live agent", () => {
    const agents = AGENT_STATES.filter((state) => state !== "ESCALATED").map((state, id) =>
      anAgent({ id, state }),
    );
    const expected = agents.filter(isLive).map(({ id }) => `${id} message`);
    expect(wakesOf(react(comment({ mention: true }), aView({ agents })))).toEqual(expected);
  });

  it("that mentions us where nobody works says what to do", () => {
    const reaction = react(comment({ mention: true }), aView());
    expect(rulesOf(reaction)).toEqual(["nobody_concerned"]);
    expect(whyOf(reaction)).toContain("/flotilla start");
    expect(effectsOf(reaction)).toEqual(["status_comment"]);
  });

  it("that does not mention us is just talk", () => {
    expect(rulesOf(react(comment(), aView({ agents: [anAgent()] })))).toEqual(["talk"]);
  });
});

describe("a command that does not exist", () => {
  it("gets one answer with the nearest and all that do", () => {
    const command = { verb: "unknown", given: "stauts", nearest: "status" } as const;
    const reaction = react(comment({ command }), aView());
    expect(rulesOf(reaction)).toEqual(["unknown_command"]);
    expect(saidBy(reaction)).toContain("There is no command `stauts`. Did you mean `/flotilla status`?");
    for (const verb of VERBS) expect(saidBy(reaction)).toContain(`\`${verb}\``);
    expect(reaction.effects).toMatchObject([{ kind: "post_comment", name: "answer-900" }]);
  });

  it("gets no guess when nothing is near", () => {
    const command = { verb: "unknown", given: "deploy", nearest: null } as const;
    expect(saidBy(react(comment({ command }), aView()))).not.toContain("Did you mean");
  });
});

describe("a command that was understood", () => {
  it.each(VERBS)("%s gets a reaction and the status comment, whatever comes of it", (verb) => {
    const { effects } = react(aCommand(verb), aView());
    expect(effects).toContainEqual({ kind: "react", commentId: 900, reaction: "+1" });
    expect(effects).toContainEqual({ kind: "status_comment" });
  });
});

describe("the command start", () => {
  it("starts the role that it names", () => {
    const reaction = react(aCommand("start", "bug-fix please"), aView());
    expect(movesOf(reaction)).toEqual(["task new OPEN", "agent new CREATE"]);
    expect(reaction.moves[1]?.event).toMatchObject({ birth: { role: "bug-fix" }, actor: "alice" });
  });

  it("without a name starts the first role that a label of the issue names", () => {
    const issue = anIssue({ labels: ["question", "documentation", "bug"] });
    const reaction = react(aCommand("start", "", { issue }), aView());
    expect(reaction.moves[1]?.event).toMatchObject({ birth: { role: "docs-dev" } });
  });

  it.each([
    ["", "No label of this issue names a role."],
    ["nobody", "There is no role `nobody`."],
    ["constructor", "There is no role `constructor`."],
  ])("with %j says which roles there are", (rest, what) => {
    const reaction = react(aCommand("start", rest), aView());
    expect(rulesOf(reaction)).toEqual(["unknown_role"]);
    expect(saidBy(reaction)).toContain(what);
    expect(saidBy(reaction)).toContain("`triage`, `feat-dev`, `bug-fix`, `docs-dev`.");
    expect(movesOf(reaction)).toEqual([]);
  });

  it("does not start beside a person's pull request", () => {
    expect(rulesOf(react(aCommand("start", "feat-dev", { personPull: 50 }), aView()))).toEqual([
      "person_pull",
    ]);
  });

  it("makes a draft ready first, for a coder", () => {
    const view = aView({ task: aTask({ state: "DRAFT" }) });
    expect(movesOf(react(aCommand("start", "feat-dev"), view))).toEqual([
      "task 41 FINALIZE",
      "agent new CREATE",
    ]);
    expect(movesOf(react(aCommand("start", "triage"), view))).toEqual(["agent new CREATE"]);
  });

  it("makes a task that needed replanning free first, for a coder that can start", () => {
    const view = aView({ task: aTask({ state: "BLOCKED", blockedReason: "coders_failed" }) });
    expect(movesOf(react(aCommand("start", "feat-dev"), view))).toEqual([
      "task 41 RESCOPE",
      "agent new CREATE",
    ]);
    expect(movesOf(react(aCommand("start", "feat-dev", { personPull: 50 }), view))).toEqual([]);
  });
});

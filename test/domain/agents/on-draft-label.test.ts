import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, anIssue, aPerson } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf, whyOf } from "../kernel/changes-as-text.ts";

const put = (label = "draft") => aDomainEvent("issue_labeled", { label });
const taken = (overrides: Parameters<typeof aDomainEvent<"issue_unlabeled">>[1] = {}) =>
  aDomainEvent("issue_unlabeled", { label: "Draft", ...overrides });
const start = (rest = "", labels: readonly string[] = ["feature", "Draft"]) =>
  aDomainEvent("commented", {
    issue: anIssue({ labels: [...labels] }),
    body: `/flotilla start ${rest}`,
    command: { verb: "start", rest },
  });
const draft = aTask({ state: "DRAFT" });

it("the label draft before any work says that work will wait, and how it begins", () => {
  const changes = decide(put("Draft"), aView());
  expect(rulesOf(changes)).toEqual(["draft_label"]);
  expect(whyOf(changes)).toContain("remove the label `draft`, or say `/flotilla start`");
});

it.each(TASK_STATES.filter((state) => state !== "DRAFT"))(
  "the label draft on a task in %s takes nothing back, and says what holds an agent",
  (state) => {
    const changes = decide(put(), aView({ task: aTask({ state }) }));
    expect(movesOf(changes)).toEqual([]);
    expect(whyOf(changes)).toContain(`is ${state}: it has begun`);
    expect(whyOf(changes)).toContain("/flotilla pause");
  },
);

it("the label draft on a draft is no news", () => {
  expect(whyOf(decide(put(), aView({ task: draft })))).toContain("a draft already / nothing");
});

it("a permitted person who takes it away makes the task ready", () => {
  const changes = decide(taken(), aView({ task: draft }));
  expect(movesOf(changes)).toEqual(["task 41 FINALIZE"]);
  expect(changes.moves[0]?.event).toMatchObject({ actor: "alice" });
  expect(effectsOf(changes)).toEqual(["status_comment"]);
});

it.each([
  ["by one who may not", "not_permitted", { actor: aPerson("eve"), permitted: false }, draft],
  ["by ourselves", "own_act", { own: true }, draft],
  ["from what is at work", "draft_label", {}, aTask({ state: "CLAIMED" })],
  ["where there is no task", "draft_label", {}, null],
] as const)("taking it away %s is only noted", (_, rule, overrides, task) => {
  const changes = decide(taken(overrides), aView({ task }));
  expect(rulesOf(changes)).toEqual([rule]);
  expect(movesOf(changes)).toEqual([]);
});

it.each(["", "feat-dev"])("`/flotilla start %s` lets the coder begin that waits for the draft", (role) => {
  const view = aView({ task: draft, agents: [anAgent({ state: "CREATED" })] });
  const changes = decide(start(role, role === "" ? ["draft"] : []), view);
  expect(movesOf(changes)).toEqual(["task 41 FINALIZE"]);
  expect(rulesOf(changes)).toEqual([]);
  expect(effectsOf(changes)).toContain("react");
});

it("`/flotilla start` takes the label away with the draft, as it is written there", () => {
  const changes = decide(start(), aView({ task: draft }));
  expect(movesOf(changes)).toEqual(["task 41 FINALIZE", "agent new CREATE"]);
  expect(changes.effects[0]).toEqual({ kind: "remove_label", label: "Draft" });
});

it("`/flotilla start` with another role says who waits there already", () => {
  const view = aView({ task: draft, agents: [anAgent({ state: "CREATED" })] });
  const changes = decide(start("bug-fix"), view);
  expect(movesOf(changes)).toEqual(["task 41 FINALIZE"]);
  expect(rulesOf(changes)).toEqual(["rival"]);
});

it.each([
  ["issue_labeled", "flotilla:merged", "put"],
  ["issue_unlabeled", "Flotilla:Claimed", "removed"],
] as const)("%s of %s by a person is undone and answered", (type, label, did) => {
  const changes = decide(aDomainEvent(type, { label }), aView({ task: aTask() }));
  expect(movesOf(changes)).toEqual([]);
  expect(rulesOf(changes)).toEqual(["state_label"]);
  expect(whyOf(changes)).toContain(`@alice ${did} \`${label}\``);
  expect(effectsOf(changes)).toEqual(["task_label", "post_comment"]);
});

it.each(["issue_labeled", "issue_unlabeled"] as const)(
  "%s of a label of ours by ourselves is done",
  (type) => {
    const changes = decide(aDomainEvent(type, { label: "flotilla:merged", own: true }), aView());
    expect(rulesOf(changes)).toEqual(["own_act"]);
    expect(effectsOf(changes)).toEqual([]);
  },
);

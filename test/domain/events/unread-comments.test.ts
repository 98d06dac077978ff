import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aQuestion } from "../../factories/a-question.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { effectsOf, rulesOf, whyOf } from "../reactions/told-of.ts";

const unread = [{ login: "alice", error: "GitHub answered 502" }];
const asked = { permitted: false, unread };
const talk = aDomainEvent("commented", asked);

it("an act that GitHub's silence stopped is told as that, with what to do", () => {
  const reaction = decide(aDomainEvent("issue_labeled", asked), aView());
  expect(rulesOf(reaction)).toEqual(["not_permitted", "permission_unread"]);
  expect(whyOf(reaction)).toContain(
    "GitHub did not say what @alice may do here (GitHub answered 502), which counts as nothing / do the same again",
  );
  expect(effectsOf(reaction)).toEqual(["status_comment", "status_comment"]);
});

it.each([
  ["an agent waits for a person", { agents: [anAgent({ state: "ESCALATED" })] }, ["status_comment"]],
  ["a question is open", { questions: [aQuestion()] }, ["status_comment"]],
  ["nobody waits", {}, []],
])(
  "words of somebody unknown are shown as that only where they may have been an answer: %s",
  (_, view, effects) => {
    const reaction = decide(talk, aView(view));
    expect(rulesOf(reaction)).toEqual(["talk", "permission_unread"]);
    expect(effectsOf(reaction)).toEqual(effects);
  },
);

it("says nothing of permissions that were read", () => {
  expect(rulesOf(decide(aDomainEvent("commented", { permitted: false }), aView()))).toEqual(["talk"]);
});

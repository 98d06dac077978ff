import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aQuestion } from "../../factories/a-question.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand, aDomainEvent } from "../../factories/an-occurrence.ts";
import { AT, MINUTE } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { effectsOf, rulesOf, wakesOf } from "../kernel/changes-as-text.ts";

const asleep = anAgent({ state: "SLEEPING", sleepReason: "question" });
const view = (question: Parameters<typeof aQuestion>[0] = {}, agents = [asleep]) =>
  aView({ agents, questions: [aQuestion(question)] });
const reply = (overrides: Parameters<typeof aDomainEvent<"commented">>[1] = {}) =>
  aDomainEvent("commented", { body: "2", ...overrides });
const URL = "https://github.example/acme/shop/issues/42#issuecomment-900";

const edited = (body: string, more: Parameters<typeof aDomainEvent<"comment_edited">>[1] = {}) =>
  aDomainEvent("comment_edited", { commentId: 800, body, ...more });

describe("a reply after the question", () => {
  it("answers it, with the option that it means", () => {
    expect(decide(reply(), view()).answers).toEqual([
      { question: 5, agentId: 11, text: "GPL 3", by: "alice", via: "reply", url: URL },
    ]);
    expect(decide(reply({ body: "@flotilla BSD, please", mention: true }), view()).answers).toMatchObject([
      { text: "@flotilla BSD, please" },
    ]);
  });

  it.each([
    ["was written before the question", reply({ commentId: 799 }), {}],
    ["came before the question stood there", reply(), { commentId: null }],
    ["stands at a line of a pull request", reply({ place: "review" }), {}],
    ["comes long after another answer", reply(), { state: "ANSWERED", answeredAt: AT - MINUTE } as const],
    ["comes to a withdrawn one", reply(), { state: "WITHDRAWN" } as const],
  ])("is none when it %s", (_, event, question) => {
    const changes = decide(event, view(question));
    expect(changes.answers).toEqual([]);
    expect(rulesOf(changes)).toEqual(["talk"]);
  });

  it("that crossed another answer is handed on too", () => {
    const answered = { state: "ANSWERED", answeredBy: "bob", answeredAt: AT - MINUTE + 1 } as const;
    expect(decide(reply(), view(answered)).answers).toHaveLength(1);
  });

  it("answers the one asked last, and reaches agents that need a person besides", () => {
    const questions = [aQuestion({ id: 4, agentId: 10 }), aQuestion()];
    const agents = [anAgent({ id: 1, state: "ESCALATED" }), asleep];
    const changes = decide(reply(), aView({ agents, questions }));
    expect(changes.answers).toMatchObject([{ question: 5 }]);
    expect(wakesOf(changes)).toEqual(["1 answer"]);
  });

  it("answers one whose time is over instead of waking its agent twice", () => {
    const changes = decide(reply(), view({ state: "TIMED_OUT" }, [anAgent({ state: "ESCALATED" })]));
    expect(changes.answers).toHaveLength(1);
    expect(changes.wakes).toEqual([]);
  });
});

describe("an answer that shows nothing on the page", () => {
  it.each(["<!-- from a template -->", "\u200b\u2060", "[a]: https://example.com"])("is none: %j", (said) => {
    const agents = [anAgent({ id: 1, state: "ESCALATED" }), asleep];
    for (const event of [reply({ body: said }), aCommand("answer", said)]) {
      const changes = decide(event, aView({ agents, questions: [aQuestion()] }));
      expect(changes.answers).toEqual([]);
      expect(wakesOf(changes)).toEqual([]);
    }
    expect(decide(reply({ body: `MIT\n\n${said}` }), view()).answers).toHaveLength(1);
  });
});

describe("the command answer", () => {
  it("answers a question, also before its comment stands there, and gets its reaction", () => {
    const changes = decide(aCommand("answer", "mit"), view({ commentId: null }));
    expect(changes.answers).toMatchObject([{ text: "MIT", via: "command" }]);
    expect(changes.effects).toMatchObject([{ kind: "react", reaction: "+1" }, { kind: "status_comment" }]);
  });

  it("without an answer in it says what to write", () => {
    const changes = decide(aCommand("answer"), view());
    expect(rulesOf(changes)).toEqual(["no_answer"]);
    expect(changes.answers).toEqual([]);
  });
});

describe("an edit of the question's comment", () => {
  const TWO = "- [ ] **1** `MIT`\n- [x] **2** `GPL 3`\n";

  it("that ticks a box answers, and the comment is written again", () => {
    const changes = decide(edited(TWO), view());
    expect(changes.answers).toMatchObject([{ text: "GPL 3", by: "alice", via: "checkbox", url: URL }]);
    expect(changes.effects).toEqual([{ kind: "question_comment", question: 5 }]);
  });

  it("answers too while only the comment's marker tells what it asks", () => {
    const body = `${TWO}\n<!-- flotilla:v1 key=question-5 mac=0fa4e -->`;
    expect(decide(edited(body), view({ commentId: null })).answers).toHaveLength(1);
    expect(decide(edited(body), view({ commentId: null, id: 6 })).answers).toEqual([]);
  });

  it.each([
    ["no_box_ticked", edited("Something else.")],
    ["not_permitted", edited(TWO, { permitted: false })],
    ["which_option", edited(`${TWO}- [x] **3** \`None at all\`\n`)],
  ])("is put right with the decision %s", (rule, event) => {
    const changes = decide(event, view());
    expect(rulesOf(changes)).toEqual([rule]);
    expect(changes.answers).toEqual([]);
    expect(effectsOf(changes)).toContain("question_comment");
  });

  it("that ticks a second box before the answer is shown is one answer more", () => {
    const both = "- [x] **1** `MIT`\n- [x] **2** `GPL 3`\n";
    const answered = { state: "ANSWERED", answer: "MIT", answeredBy: "bob", answeredAt: AT } as const;
    expect(decide(edited(both), view(answered)).answers).toMatchObject([{ text: "GPL 3" }]);
  });

  it("of another comment of ours changes nothing", () => {
    const changes = decide(edited(TWO, { commentId: 801 }), view());
    expect(rulesOf(changes)).toEqual(["no_question"]);
    expect(changes.effects).toEqual([]);
  });
});

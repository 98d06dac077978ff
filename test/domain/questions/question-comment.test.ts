import { describe, expect, it } from "vitest";
import { wakeLine as markedWakeLine } from "../../../src/domain/conversation/prompts.ts";
import {
  answerForAgent,
  isTimeOutMessage,
  laterAnswerMessage,
  timeOutMessage,
} from "../../../src/domain/questions/question-answer.ts";
import { askedAgainComment, questionComment } from "../../../src/domain/questions/question-comment.ts";
import { aQuestion } from "../../factories/a-question.ts";
import { AT } from "../../factories/moment.ts";
import { plain } from "../text/plain.ts";

const wakeLine = plain(markedWakeLine);

const comment = (overrides: Parameters<typeof aQuestion>[0] = {}) =>
  questionComment("feat-dev", aQuestion(overrides));

describe("the comment of a question", () => {
  it("says who asks what of whom, how to answer, and what happens without an answer", () => {
    expect(comment({ defaultOption: "GPL 3" }).split("\n")).toEqual([
      "**feat-dev** asks @alice:",
      "",
      "> Which licence shall it have?",
      "",
      "- [ ] **1** `MIT` (recommended)",
      "- [ ] **2** `GPL 3`",
      "- [ ] **3** `None at all` (destructive: this cannot be undone)",
      "",
      "Tick one box, or reply with a number or in your own words. A thumbs up takes `MIT`, within minutes. The first answer of a person with write permission counts.",
      "",
      "Without an answer by **2025-12-23 21:40 UTC** the agent continues with `GPL 3`, decided by time-out.",
    ]);
  });

  it("without a default is handed to people in the end, without a recommendation takes no reaction", () => {
    const body = comment({ recommended: null, askedOf: [] });
    expect(body).toContain("**feat-dev** asks anyone who can decide:");
    expect(body).toContain("the agent is marked as needing a person, and waits.");
    expect(body).not.toContain("thumbs up");
    expect(comment({ state: "TIMED_OUT" })).toContain("It still continues when somebody answers.");
  });

  it("mentions only who was asked first, and nobody whom the agent's words name", () => {
    const body = comment({
      askedOf: ["alice", "bob"],
      options: [{ name: "ask @eve `now`", destructive: false }],
    });
    expect(body).toContain("Asked later as well: `bob`.");
    expect(body).toContain("- [ ] **1** `ask @eve 'now'`");
  });

  it.each([
    ["reply", " by a reply"],
    ["checkbox", " by ticking its box"],
    ["reaction", " by a thumbs up"],
    ["command", ""],
  ] as const)("says who answered, how and when, after a %s", (via, how) => {
    const body = comment({ state: "ANSWERED", answer: "GPL 3", answeredBy: "bob", via, answeredAt: AT });
    expect(body).toContain(`**Answered by @bob**${how}, 2025-12-21 22:40 UTC: \`GPL 3\`.`);
    expect(body).toContain("- **2** `GPL 3` (chosen)");
    expect(body).not.toContain("[ ]");
    expect(body).toContain("**feat-dev** asked @alice:");
  });

  it("quotes an answer in own words, and cuts a long one", () => {
    const answered = { state: "ANSWERED", answeredBy: "bob", via: "reply", answeredAt: AT } as const;
    expect(comment({ ...answered, answer: "/flotilla cancel\nor BSD" })).toMatch(
      /UTC:\n\n> `\/flotilla` cancel\n> or BSD$/,
    );
    expect(comment({ ...answered, answer: "x".repeat(5000) }).length).toBeLessThan(2000);
  });

  it("never tells a default as a person's answer", () => {
    const body = comment({
      state: "TIMED_OUT",
      defaultOption: "MIT",
      answer: "MIT",
      via: "time-out",
      answeredAt: AT,
    });
    expect(body).toContain(
      "**Decided by time-out, not by a person**: nobody answered by 2025-12-23 21:40 UTC",
    );
    expect(body).toContain("its default `MIT`");
    expect(body).not.toContain("Answered by");
  });

  it("says that nobody needs to answer a withdrawn one", () => {
    expect(comment({ state: "WITHDRAWN" })).toContain("Nobody needs to answer this any more");
  });
});

describe("a question that is brought up again", () => {
  const again = { login: "alice", again: true, link: "/acme/shop/issues/42#issuecomment-800" };

  it("reminds who was asked, with a link and the time", () => {
    expect(askedAgainComment("feat-dev", aQuestion(), again)).toBe(
      [
        "@alice, a reminder: **feat-dev** still waits for your answer to [a question](/acme/shop/issues/42#issuecomment-800).",
        "",
        "> Which licence shall it have?",
        "",
        "Without an answer by 2025-12-23 21:40 UTC the agent is marked as needing a person.",
      ].join("\n"),
    );
  });

  it("asks somebody else, also while its comment is not written", () => {
    const body = askedAgainComment("feat-dev", aQuestion({ defaultOption: "MIT" }), {
      login: "bob",
      again: false,
      link: null,
    });
    expect(body).toContain(
      "@bob, nobody has answered a question on this issue of **feat-dev** yet. Can you?",
    );
    expect(body).toContain("the agent continues with `MIT`.");
  });
});

describe("what the agent is told", () => {
  const given = { question: 5, agentId: 11, text: "GPL 3", by: "bob", url: "https://x/1" } as const;

  const later = (row: Parameters<typeof laterAnswerMessage>[0]) =>
    laterAnswerMessage(row, { ...given, via: "reply" });

  it("is a person's answer with its link", () => {
    expect(answerForAgent(aQuestion(), { ...given, via: "checkbox" })).toBe(
      "@bob answers by ticking a box (https://x/1):\n\nGPL 3\n\nYou had asked: Which licence shall it have?",
    );
  });

  it("is a later answer as a message beside what counts", () => {
    expect(later({ answer: "MIT", answeredBy: "alice", via: "reply" })).toBe(
      "@bob answers your question as well (https://x/1), but @alice was first, and that counts: MIT. Take this as a message:\n\nGPL 3",
    );
    expect(later({ answer: "MIT", answeredBy: null, via: "time-out" })).toContain(
      "decided by time-out before",
    );
    expect(later({ answer: null, answeredBy: null, via: null })).toContain("you continued without an answer");
  });

  it("never calls a time-out a person's answer", () => {
    const detail = timeOutMessage(aQuestion(), "MIT");
    expect(isTimeOutMessage(detail)).toBe(true);
    expect(wakeLine({ reason: "answer", detail })).toBe(
      "- No answer from a person: nobody answered your question by 2025-12-23 21:40 UTC (Which licence shall it have?). Decided by time-out, not by a person: continue with your default, MIT. Mention this in your report.",
    );
  });
});

import { describe, expect, it } from "vitest";
import {
  type AskedQuestion,
  deadlineOf,
  isAnswerable,
  nextPerson,
  questionDue,
  questionFault,
} from "../../../src/domain/questions/question.ts";
import { answerOf, optionMeant, tickedOptions } from "../../../src/domain/questions/question-answer.ts";
import { aQuestion } from "../../factories/a-question.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";

const DAY = 24 * HOUR;

function asked(overrides: Partial<AskedQuestion> = {}): AskedQuestion {
  const { options, recommended } = aQuestion();
  return { question: "Which?", options, recommended, default: null, deadline: null, who: null, ...overrides };
}
const named = (...names: readonly string[]) => names.map((name) => ({ name, destructive: false }));

describe("what can be asked", () => {
  it("is a question whose options have names of their own", () => {
    expect(questionFault(asked())).toBeNull();
    expect(questionFault(asked({ default: "GPL 3", deadline: "90m" }))).toBeNull();
    expect(questionFault(asked({ options: named("Blue ", "red", "blue"), recommended: null }))).toBe(
      'Two options are named "blue": give each a name of its own.',
    );
    expect(questionFault(asked({ options: named("Option 2", "3"), recommended: null }))).toContain(
      'The option "Option 2" is a number',
    );
  });

  it.each(["recommended", "default"] as const)("names one of the options as %s", (key) => {
    expect(questionFault(asked({ [key]: "BSD" }))).toBe(
      `${key} is "BSD", which is none of the options: write one of "MIT", "GPL 3", "None at all", exactly so.`,
    );
  });

  it("may recommend a destructive option, and never has it as its default", () => {
    expect(questionFault(asked({ recommended: "None at all" }))).toBeNull();
    expect(questionFault(asked({ default: "None at all" }))).toContain("only a person may choose it");
  });

  it.each(["soon", "1.5h", "0h", "4", "2w", "toString"])("has no deadline like %s", (deadline) => {
    expect(questionFault(asked({ deadline }))).toContain("write a whole number with its unit");
  });
});

describe("the deadline", () => {
  it.each([
    [null, 2 * DAY],
    ["90m", 90 * MINUTE],
    ["15m", 15 * MINUTE],
    ["7d", 7 * DAY],
  ])("asked for as %s holds as it is", (deadline, ms) => {
    expect(deadlineOf({ deadline }, 2 * DAY)).toEqual({ ms, note: null });
  });

  it("is neither shorter than people need nor longer than anything waits, and says so", () => {
    expect(deadlineOf({ deadline: "14m" }, 2 * DAY)).toEqual({
      ms: 15 * MINUTE,
      note: "The deadline is in 15 min, not in 14m: people need that long at the least.",
    });
    expect(deadlineOf({ deadline: "8d" }, 2 * DAY)).toEqual({
      ms: 7 * DAY,
      note: "The deadline is in 168 h, not in 8d: nothing waits longer.",
    });
    expect(deadlineOf({ deadline: "30d" }, 10 * DAY).ms).toBe(10 * DAY);
  });
});

describe("an answer", () => {
  const { options } = aQuestion();

  it.each([
    ["2", "GPL 3"],
    [" #2. ", "GPL 3"],
    ["Option 2", "GPL 3"],
    ["**mit**!", "MIT"],
    ["`GPL  3`", "GPL 3"],
    ["none at all.", "None at all"],
  ])("%j means %s", (said, name) => {
    expect(optionMeant(options, said)?.name).toBe(name);
  });

  it.each(["0", "4", "MIT or GPL 3", "2 or 3", "", "I would say MIT"])("%j is in own words", (said) => {
    expect(optionMeant(options, said)).toBeNull();
    expect(answerOf({ options }, ` ${said} `)).toBe(said);
  });

  it("is read from ticked boxes, and from no text of the question", () => {
    const body = "> - [x] **1** no\n\n- [ ] **1** `MIT`\n* [X] **2** `GPL 3`\n- [x] **3** `None at all`\n";
    expect(tickedOptions(options, body).map(({ name }) => name)).toEqual(["GPL 3", "None at all"]);
  });

  it("counts while the question is open, and after its time where no default has settled it", () => {
    const states = ["OPEN", "ANSWERED", "TIMED_OUT", "WITHDRAWN"] as const;
    const count = (defaultOption: string | null) =>
      states.filter((state) => isAnswerable(aQuestion({ state, defaultOption })));
    expect(count(null)).toEqual(["OPEN", "TIMED_OUT"]);
    expect(count("MIT")).toEqual(["OPEN"]);
  });
});

describe("an open question", () => {
  const times = { deadlineMs: 2 * DAY, remindAfterMs: 4 * HOUR, secondPersonAfterMs: DAY };
  const due = (after: number, span: number, more: Parameters<typeof aQuestion>[0] = {}) =>
    questionDue(aQuestion({ createdAt: 0, deadlineAt: span, ...more }), times, after);

  it.each([
    [4 * HOUR, "reminder", null],
    [DAY, "second_person", "reminder"],
    [2 * DAY, "deadline", "second_person"],
  ] as const)("is due after %d ms for: %s", (after, what, before) => {
    expect(due(after - 1, 2 * DAY)).toBe(before);
    expect(due(after, 2 * DAY)).toBe(what);
  });

  it("is brought up within a short deadline too: at half of it, and at three quarters", () => {
    expect([due(29 * MINUTE, HOUR), due(30 * MINUTE, HOUR)]).toEqual([null, "reminder"]);
    expect([due(44 * MINUTE, HOUR), due(45 * MINUTE, HOUR)]).toEqual(["reminder", "second_person"]);
  });

  it("is brought up once each", () => {
    expect(due(23 * HOUR, 2 * DAY, { remindedAt: 1 })).toBeNull();
    expect(due(47 * HOUR, 2 * DAY, { remindedAt: 1, secondAskedAt: 2 })).toBeNull();
  });

  it("goes next to whom nobody has asked yet", () => {
    expect(nextPerson(["ada", "bob"], [])).toBe("ada");
    expect(nextPerson(["ada", "bob"], ["ADA"])).toBe("bob");
    expect(nextPerson(["ada"], ["ada"])).toBeNull();
  });
});

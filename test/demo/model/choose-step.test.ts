import { expect, test } from "vitest";
import {
  chooseStep,
  commitIn,
  factIn,
  fillStep,
  type ModelMessage,
} from "../../../src/demo/model/choose-step.ts";
import { scriptSchema } from "../../../src/demo/model/script.ts";

const script = scriptSchema.parse({
  conversations: [
    { match: "Role: reviewer", steps: [{ say: "Fine." }] },
    {
      match: "Role: coder.*issue-1\\b",
      again: "the host was restarted",
      steps: [
        { say: "first" },
        { when: "^error:", say: "try again" },
        { say: "second" },
        { after: "#2 was closed", say: "woken" },
        { say: "and on" },
        { after: "a person says", say: "heard" },
      ],
    },
  ],
});

const opening: ModelMessage[] = [
  { role: "system", content: "Role: coder" },
  { role: "user", content: "work on\nissue-1 please" },
];
const assistant: ModelMessage = { role: "assistant", content: "…" };
const tool = (content: string): ModelMessage => ({ role: "tool", content });
const user = (content: string): ModelMessage => ({ role: "user", content });
const say = (...rest: ModelMessage[]) => chooseStep(script, [...opening, ...rest])?.say;

test("a conversation is recognised by its system prompt and first message together", () => {
  expect(say()).toBe("first");
  expect(chooseStep(script, [{ role: "system", content: "Role: reviewer" }, user("x")])?.say).toBe("Fine.");
  expect(chooseStep(script, [{ role: "system", content: "Role: coder" }, user("issue-12")])).toBeUndefined();
});

test("a conversation is recognised by its second message where the first one only tells where the agent is", () => {
  const place = user("You are in /w on Linux.");
  const [system, first] = opening;
  if (system === undefined || first === undefined) throw new Error("no opening");
  expect(chooseStep(script, [system, place, first])?.say).toBe("first");
  expect(chooseStep(script, [system, place, place, first])).toBeUndefined();
});

test("an interruption restarts the current branch", () => {
  expect(say(assistant, tool("ok"), user("the host was restarted"))).toBe("first");
  const woken = [assistant, user("#2 was closed"), assistant, tool("ok")];
  expect(say(...woken)).toBe("and on");
  expect(say(...woken, user("the host was restarted"))).toBe("woken");
  expect(say(...woken, user("the host was restarted"), assistant)).toBe("and on");
});

test("each answer in the history uses one step, and a script without more steps says so", () => {
  expect(say(assistant, tool("ok"))).toBe("second");
  expect(say(assistant, tool("ok"), assistant, user("more"))).toBe("Nothing more to do.");
});

test("a step with `when` answers matching messages without using up a step", () => {
  expect(say(assistant, tool("error: no"))).toBe("try again");
  expect(say(assistant, tool("error: no"), assistant, tool("ok"))).toBe("second");
});

test("a message that matches a branch starts it, whatever came before", () => {
  expect(say(user("#2 was closed"))).toBe("woken");
  expect(say(assistant, tool("ok"), assistant, assistant, user("#2 was closed"))).toBe("woken");
  expect(say(assistant, user("#2 was closed"), assistant, tool("ok"))).toBe("and on");
  expect(say(assistant, user("#2 was closed"), assistant, user("other"), assistant)).toBe(
    "Nothing more to do.",
  );
  expect(say(assistant, user("#2 was closed"), assistant, user("a person says yes"))).toBe("heard");
});

test("the working directory and the commit under review are filled in wherever they are named", () => {
  const commit = "a".repeat(40);
  const step = {
    say: "in {{cwd}} of {{commit}} by {{fact}}",
    call: [{ tool: "t", args: { a: "{{cwd}}/x", b: [{ c: "{{cwd}}" }], d: 1 } }],
  };
  expect(fillStep(step, { cwd: "/w", commit, fact: "comment-3" })).toEqual({
    say: `in /w of ${commit} by comment-3`,
    call: [{ tool: "t", args: { a: "/w/x", b: [{ c: "/w" }], d: 1 } }],
  });
});

test("the commit under review is read only from the first message to a reviewer, before which its runtime may have put one", () => {
  const commit = "a".repeat(40);
  expect(commitIn([user(`Review commit ${commit} for issue #1`)])).toBe(commit);
  expect(commitIn([user(`Work on it, not: Review commit ${commit}`)])).toBe("");
  expect(commitIn([user("You are in /w."), user(`Review commit ${commit} for issue #1`)])).toBe(commit);
  expect(commitIn([user("One."), user("Two."), user(`Review commit ${commit} for issue #1`)])).toBe("");
  expect(commitIn([])).toBe("");
});

test("the first thing of the work is read from the first message to a retrospective alone", () => {
  const facts = "What happened:\n\n- `comment-3`: people said: a\n- `merge-abc`: it was merged\n";
  expect(factIn([user(`Look back at the work on issue #1.\n\n${facts}`)])).toBe("comment-3");
  expect(factIn([user(facts)])).toBe("");
  expect(factIn([user("One."), user("Two."), user(`Look back at it.\n${facts}`)])).toBe("");
});

const parse = (conversation: object) => scriptSchema.safeParse({ conversations: [conversation] }).success;

test("a script with an impossible pattern or an unknown key is refused", () => {
  expect(parse({ match: "ok", steps: [] })).toBe(true);
  expect(parse({ match: "(", steps: [] })).toBe(false);
  expect(parse({ match: "ok", steps: [{ sya: "x" }] })).toBe(false);
});

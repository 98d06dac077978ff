import { expect, it } from "vitest";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { asked, questionOf, ticked, willAsk } from "../asking.ts";
import { agentOf, commentsOn, decisionsOn, historyOf, runOf, stateOf, toldTo } from "../look.ts";
import { labeled, said, tell } from "../people.ts";

const TWO = { settings: { escalation: { label: "needs-human", notify: ["oncall", "second"] } } };

it("reminds who was asked once, at its time and not a moment before, over restarts", async () => {
  const rig = await asked();
  await rig.pass(4 * HOUR - 1);
  expect(commentsOn(rig)).toHaveLength(1);
  await rig.restart();
  await rig.pass(1);
  await rig.restart();
  await rig.pass(HOUR);
  const comments = commentsOn(rig);
  expect(comments).toHaveLength(2);
  expect(comments[1]).toContain("@oncall, a reminder");
  expect(comments[1]).toMatch(/\[a question\]\(\/acme\/shop\/issues\/1#issuecomment-\d+\)/);
  expect(await decisionsOn(rig)).toEqual(["reminded"]);
});

it("asks a second person once, at its time and not a moment before", async () => {
  const rig = await asked({}, TWO);
  await rig.pass(24 * HOUR - 1);
  expect(commentsOn(rig).join()).not.toContain("@second");
  await rig.pass(1);
  await rig.pass(HOUR);
  const comments = commentsOn(rig);
  expect(comments).toHaveLength(3);
  expect(comments[2]).toContain("@second, nobody has answered");
  expect(comments[0]).toContain("Asked later as well: `second`.");
  expect((await questionOf(rig)).askedOf).toEqual(["oncall", "second"]);
  expect(await decisionsOn(rig)).toEqual(["reminded", "second_person"]);
});

it("records that there is nobody else to ask", async () => {
  const rig = await asked();
  await rig.pass(24 * HOUR);
  await rig.pass(HOUR);
  expect(await decisionsOn(rig)).toEqual(["nobody_to_ask"]);
});

it("continues with the default at the deadline and not a moment before, which is nobody's answer", async () => {
  const rig = await asked({ default: "GPL 3" });
  await rig.pass(48 * HOUR - 1);
  expect(await stateOf(rig)).toBe("SLEEPING");
  await rig.restart();
  await rig.pass(1);
  expect(await questionOf(rig)).toMatchObject({
    state: "TIMED_OUT",
    answer: "GPL 3",
    answeredBy: null,
    via: "time-out",
  });
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect(toldTo(rig)[1]).toContain("- No answer from a person: nobody answered your question by");
  expect(toldTo(rig)[1]).not.toContain("Answer from a person: @");
  expect(await decisionsOn(rig)).toContain("question_timed_out");
  expect(commentsOn(rig)[0]).toContain("**Decided by time-out, not by a person**");
});

it("needs a person at the deadline without a default, and continues from an answer after that", async () => {
  const rig = await asked();
  await rig.pass(48 * HOUR - 1);
  expect(await stateOf(rig)).toBe("SLEEPING");
  await rig.pass(1);
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "expired", breaker: null });
  expect(await runOf(rig)).toMatchObject({
    state: "failed",
    error: expect.stringMatching(/^it slept past its deadline, waiting for /),
  });
  const escalated = commentsOn(rig).find((body) => body.includes("needs a person"));
  expect(escalated).toContain("waiting for an answer to its question");
  expect(escalated).toContain("> Which licence shall it have?");
  expect(commentsOn(rig)[0]).toContain("It still continues when somebody answers.");
  await tell(rig, await ticked(rig, [2]));
  expect(await questionOf(rig)).toMatchObject({ state: "ANSWERED", answer: "GPL 3", answeredBy: "alice" });
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig).at(-1)).toContain("@alice answers by ticking a box");
});

it("does not let time decide while a person holds the agent", async () => {
  const rig = await asked({ default: "GPL 3" });
  await tell(rig, said(rig, 1, "/flotilla pause"));
  await rig.pass(49 * HOUR);
  expect(await questionOf(rig)).toMatchObject({ state: "OPEN" });
  await tell(rig, said(rig, 1, "/flotilla resume"));
  await rig.pass(1);
  expect(await questionOf(rig)).toMatchObject({ state: "TIMED_OUT", answer: "GPL 3" });
});

it.each(["turn:intent", "effect:close_session", "effect:question_comment"])(
  "asks once and continues once when the host dies at %s",
  async (point) => {
    const rig = await willAsk();
    rig.onCrashPoint = (name) => {
      if (name === point) rig.life.end();
    };
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it is dead", () => rig.life.over);
    rig.onCrashPoint = () => {};
    await rig.restart();
    await rig.pass(MINUTE);
    // On a slow database the end of the dead host's turn is found a round later.
    for (let rounds = 0; rounds < 5 && commentsOn(rig).length === 0; rounds += 1) await rig.pass(MINUTE);
    await rig.pass(MINUTE);
    expect(commentsOn(rig)).toHaveLength(1);
    await tell(rig, said(rig, 1, "MIT"));
    const { id } = await agentOf(rig);
    expect(await rig.store.questions.ofAgents([id])).toMatchObject([{ state: "ANSWERED", answer: "MIT" }]);
    expect(await stateOf(rig)).toBe("COMPLETED");
  },
);

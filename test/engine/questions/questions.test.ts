import { expect, it } from "vitest";
import type { DomainEvent } from "../../../src/domain/events/domain-event.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { person } from "../../fakes/github-world.ts";
import { asked, questionOf, ticked, willAsk } from "../asking.ts";
import {
  agentOf,
  answersTo,
  commentsOn,
  decisionsOn,
  historyOf,
  runOf,
  sessionsOf,
  stateOf,
  toldTo,
} from "../look.ts";
import { closed, edited, labeled, said, tell } from "../people.ts";
import { OUR_SECRET, type Rig } from "../rig.ts";
import { after, call, commit, edit, slowly, work } from "../scripts.ts";

it("asks in one comment with boxes that names one person once, and sleeps", async () => {
  const rig = await asked();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "question" });
  expect(await runOf(rig)).toMatchObject({
    state: "waiting_input",
    waitingFor: "Which licence shall it have?",
  });
  expect(rig.runtime.running.size).toBe(0);
  const comments = commentsOn(rig);
  expect(comments).toHaveLength(1);
  expect(comments[0]?.match(/@\w+/g)).toEqual(["@oncall"]);
  expect(comments[0]).toContain("- [ ] **2** `GPL 3`\n");
  expect(await questionOf(rig)).toMatchObject({ state: "OPEN", askedOf: ["oncall"], recommended: "MIT" });
});

const WAYS: readonly (readonly [string, (rig: Rig) => DomainEvent | Promise<DomainEvent>, object])[] = [
  ["a reply with a number", (rig) => said(rig, 1, "2"), { answer: "GPL 3", via: "reply" }],
  [
    "a reply in own words",
    (rig) => said(rig, 1, "Neither, BSD please."),
    { answer: "Neither, BSD please.", via: "reply" },
  ],
  ["a ticked box", (rig) => ticked(rig, [2]), { answer: "GPL 3", via: "checkbox" }],
  ["a destructive option's box", (rig) => ticked(rig, [3]), { answer: "None at all", via: "checkbox" }],
  ["a command", (rig) => said(rig, 1, "/flotilla answer 2"), { answer: "GPL 3", via: "command" }],
];

it.each(WAYS)("continues after %s, in the same conversation, told who answered", async (_, act, row) => {
  const rig = await asked();
  await tell(rig, await act(rig));
  expect(await questionOf(rig)).toMatchObject({ state: "ANSWERED", answeredBy: "alice", ...row });
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect(await sessionsOf(rig)).toMatchObject([{ lives: 2 }]);
  const { answer } = await questionOf(rig);
  expect(toldTo(rig)[1]).toMatch(/- Answer from a person: @alice answers.* \(https:.*\):\n\n/);
  expect(toldTo(rig)[1]).toContain(`:\n\n${answer ?? ""}`);
  expect(commentsOn(rig)[0]).toContain("**Answered by @alice**");
  expect(commentsOn(rig)[0]).not.toContain("[ ]");
});

it("finds a thumbs up of a person who may answer, at the next look", async () => {
  const rig = await asked();
  const { commentId } = await questionOf(rig);
  const up = (by: string) =>
    rig.repository.reactions.push({ commentId: commentId ?? 0, reaction: "+1", by: person(by) });
  up("eve");
  await rig.pass(5 * MINUTE);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await decisionsOn(rig)).toContain("not_permitted");
  up("bob");
  await rig.pass(5 * MINUTE);
  expect(await questionOf(rig)).toMatchObject({ answer: "MIT", answeredBy: "bob", via: "reaction" });
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("does not take a thumbs up where nothing is recommended", async () => {
  const rig = await asked({ recommended: null });
  const { commentId } = await questionOf(rig);
  rig.repository.reactions.push({ commentId: commentId ?? 0, reaction: "+1", by: person("bob") });
  await rig.pass(5 * MINUTE);
  await tell(rig, await ticked(rig, [1, 2]));
  expect(await questionOf(rig)).toMatchObject({ state: "OPEN" });
});

it("counts nothing that strangers say or tick, and empties their boxes", async () => {
  const rig = await asked();
  await tell(rig, said(rig, 1, "2", { by: "eve" }), said(rig, 1, "/flotilla answer 2", { by: "eve" }));
  await tell(rig, await ticked(rig, [2], "eve"));
  expect(await questionOf(rig)).toMatchObject({ state: "OPEN", answer: null });
  expect(await decisionsOn(rig)).toEqual(["talk", "not_permitted", "not_permitted"]);
  expect(commentsOn(rig)[0]).toContain("- [ ] **2** `GPL 3`");
});

it("takes no answer from two boxes at once, says so and empties them", async () => {
  const rig = await asked();
  await tell(rig, await ticked(rig, [1, 2]));
  expect(await questionOf(rig)).toMatchObject({ state: "OPEN" });
  expect(await decisionsOn(rig)).toEqual(["which_option"]);
  expect(commentsOn(rig)[0]).not.toContain("[x]");
});

it("is not answered by what was said before its comment stood there", async () => {
  const rig = await asked();
  const early = said(rig, 1, "By the way, nice work.");
  if (early.type !== "commented") throw new Error("it is a comment");
  await tell(rig, { ...early, commentId: 1 });
  expect(await questionOf(rig)).toMatchObject({ state: "OPEN" });
});

it("takes the first of two answers at one moment, and tells the second with the next tool's answer", async () => {
  const steps = [after("You are awake again", slowly(MINUTE, edit())), commit, ...work.slice(2)];
  const rig = await asked({}, { steps });
  const [first, second] = [said(rig, 1, "MIT"), said(rig, 1, "GPL 3, please", { by: "bob" })];
  await rig.engine.handle(first);
  await rig.until("it talks", () => rig.runtime.requests.length === 2);
  await rig.engine.handle(second);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await questionOf(rig)).toMatchObject({ answer: "MIT", answeredBy: "alice" });
  expect(answersTo(rig).join()).toContain("@bob answers your question as well");
  expect(answersTo(rig).join()).toContain("@alice was first, and that counts: MIT");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("is withdrawn when the issue is closed, and its comment says so", async () => {
  const rig = await asked();
  await tell(rig, closed(rig, 1));
  expect(await questionOf(rig)).toMatchObject({ state: "WITHDRAWN" });
  expect(commentsOn(rig)[0]).toContain("Nobody needs to answer this any more");
  expect(commentsOn(rig)[0]).not.toContain("@oncall asks");
});

it("is withdrawn when something else wakes the agent", async () => {
  const rig = await asked();
  await tell(rig, edited(rig, 1, "Do 1 under MIT."));
  expect(await questionOf(rig)).toMatchObject({ state: "WITHDRAWN", answer: null });
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("refuses what cannot be asked with the reason, and nothing is recorded", async () => {
  const rig = await asked({ default: "None at all" }, { steps: [call("ask_human", WHO), ...work] });
  expect(answersTo(rig)[0]).toContain('The option "None at all" is destructive');
  expect(answersTo(rig)[1]).toContain("@eve has no write permission here");
  expect(commentsOn(rig)).toEqual([]);
});
const WHO = { question: "Which?", options: ["a", "b"], who: "@eve" };

it("asks whom the call names, else the issue's author where nobody is configured", async () => {
  const named = await asked({ who: "bob" });
  expect((await questionOf(named)).askedOf).toEqual(["bob"]);
  const settings = { escalation: { label: "needs-human", notify: [] } };
  expect((await questionOf(await asked({}, { settings }))).askedOf).toEqual(["alice"]);
});

it("asks nobody by name while GitHub's limits do not let it look who may answer", async () => {
  const settings = { escalation: { label: "needs-human", notify: [] } };
  const rig = await willAsk({ who: "bob" }, { settings });
  const limited = new GitHubError("rate_limited", "later", 403, { consequence: "park" });
  rig.github.failNext("permission", limited, "before");
  await tell(rig, labeled(rig, 1));
  expect(await questionOf(rig)).toMatchObject({ state: "OPEN", askedOf: [] });
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("says to the model that a deadline was cut, and keeps secrets out of the comment", async () => {
  const rig = await asked({ deadline: "30d", question: `Is ${OUR_SECRET} yours?` });
  expect((await questionOf(rig)).deadlineAt - (await questionOf(rig)).createdAt).toBe(7 * 24 * HOUR);
  expect((await rig.store.toolCalls.ofAgent(1)).at(-1)?.output).toContain("not in 30d: nothing waits longer");
  expect(commentsOn(rig).join()).not.toContain(OUR_SECRET);
});

import { expect, it } from "vitest";
import { HOUR } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { answeredTogether, behind, oneAfterAnother } from "../gates.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, answersTo, commentsOn, historyOf, runOf, stateOf, toldTo } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { after, call, edit, on, type Step, together, work } from "../scripts.ts";
import { callsOf, dataOf } from "../told.ts";
import { eachRuntime } from "../with-own-settings.ts";

const { runtime } = someSettings();
const ask = { runtime: { ...runtime, permissionMode: "ask" as const } };
const curl = (more = "") => call("bash", { command: `curl https://example.com/${more}` });

/** An agent that makes a risky call, and then does the steps. */
async function asking(steps: readonly Step[], first: Step = curl(), options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ ...options, settings: ask, script: [on(1, first, ...steps)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

async function hashOf(rig: Rig): Promise<string> {
  const { id, token } = await agentOf(rig);
  return (await rig.store.approvals.asked(id, token))[0]?.hash ?? "none";
}

/** Where its tool calls are, and what they gave, in order. */
async function callsIn(rig: Rig): Promise<readonly string[]> {
  return (await callsOf(rig)).map(({ status, output }) => `${status}: ${output ?? "nothing yet"}`);
}

/** The moves of its run, in order. */
async function runMovesOf(rig: Rig): Promise<readonly string[]> {
  const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  return moves.filter(({ machine }) => machine === "run").map(({ event, to }) => `${event} ${to}`);
}

it("does not make a risky call, asks a person in one comment, and sleeps", async () => {
  const rig = await asking([]);
  expect(await callsIn(rig)).toEqual(["pending: nothing yet"]);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval", breaker: null });
  expect(await runOf(rig)).toMatchObject({ state: "waiting_approval" });
  expect(rig.runtime.running.size).toBe(0);
  const hash = await hashOf(rig);
  expect(commentsOn(rig)).toEqual([expect.stringContaining(`/flotilla approve ${hash.slice(0, 12)}`)]);
  expect(commentsOn(rig)[0]).toContain('"command": "curl https://example.com/"');
  const events = await rig.store.runEvents.after(0, { limit: 1000, agentId: null });
  expect(
    events.map(({ event }) => event.type).filter((type) => /^tool|^approval|^stream/.test(type)),
  ).toEqual(["tool:start", "approval:requested"]);
});

it("lets exactly that call pass once after a person's word", async () => {
  const again = after("You are awake again", curl());
  const rig = await asking([again, curl(), after("You are awake again", edit()), ...work.slice(1)]);
  await tell(rig, said(rig, 1, `/flotilla approve ${(await hashOf(rig)).slice(0, 8)}`));
  expect((await callsIn(rig)).map((result) => result.slice(0, 24))).toEqual([
    "success: (bash is a tool",
    "pending: nothing yet",
  ]);
  expect(toldTo(rig)[1]).toContain("@alice lets this call pass once: bash");
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(commentsOn(rig)).toHaveLength(2);
});

it("asks again for the same tool with other arguments", async () => {
  const rig = await asking([after("You are awake again", curl("other"))]);
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await callsIn(rig)).toEqual(["interrupted: It never ran.", "pending: nothing yet"]);
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("continues adapting after a no, told why, and is not asked about the same call again", async () => {
  const steps = [after("You are awake again", curl()), edit(), ...work.slice(1)];
  const rig = await asking(steps);
  await tell(rig, said(rig, 1, "/flotilla deny use the mirror"));
  expect(toldTo(rig)[1]).toContain("Why: use the mirror. Do without it.");
  expect(answersTo(rig)[1]).toContain("A person said no to this call: use the mirror");
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await runMovesOf(rig)).toContain("DENY adapting");
});

it("says APPROVE to the run", async () => {
  const rig = await asking([after("You are awake again", edit()), ...work.slice(1)]);
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await runMovesOf(rig)).toContain("APPROVE executing");
});

it("keeps question and answer over restarts of the host", async () => {
  const rig = await asking([after("You are awake again", curl()), edit(), ...work.slice(1)]);
  await rig.restart();
  await rig.pass(1000);
  expect(await stateOf(rig)).toBe("SLEEPING");
  await rig.engine.handle(said(rig, 1, "/flotilla approve"));
  await rig.restart();
  await rig.idle();
  expect(answersTo(rig)[1]).toContain("(bash is a tool of the runtime");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("does not double an approved call when the process dies as it is made", async () => {
  const rig = await asking([after("You are awake again", curl()), curl()]);
  await tell(rig, said(rig, 1, "/flotilla approve"));
  const { id } = await agentOf(rig);
  const rows = await rig.store.approvals.asked(id, (await agentOf(rig)).token);
  expect(rows).toHaveLength(1);
  expect(answersTo(rig).filter((answer) => answer.startsWith("(bash"))).toHaveLength(1);
});

it("asks about all risky calls of one turn in one comment, and passes those that are named", async () => {
  const rig = await asking(
    [after("You are awake again", together(curl("a"), curl("b"))), edit(), ...work.slice(1)],
    together(curl("a"), curl("b")),
  );
  expect(commentsOn(rig)).toEqual([
    expect.stringContaining("continues when each of these calls is answered"),
  ]);
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await stateOf(rig)).toBe("SLEEPING");
  const { id, token } = await agentOf(rig);
  const [first, second] = await rig.store.approvals.asked(id, token);
  await tell(rig, said(rig, 1, `/flotilla approve ${first?.hash ?? ""}`));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await runOf(rig)).toMatchObject({
    waitingFor: expect.stringMatching(/^2 calls, bash [\da-f]{12}, bash [\da-f]{12}$/),
  });
  await rig.engine.operations.decideCall({
    approval: second?.id ?? 0,
    verdict: "approve",
    id: "click-1",
    by: "alice",
    reason: null,
  });
  await rig.idle();
  expect(toldTo(rig)[1]?.match(/lets this call pass once/g)).toHaveLength(2);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect((await callsIn(rig)).slice(0, 2)).toEqual([
    expect.stringMatching(/^success/),
    expect.stringMatching(/^success/),
  ]);
  expect(commentsOn(rig).filter((text) => text.includes("asks a person for permission"))).toHaveLength(1);
});

it("continues with the call that is allowed when the others are refused", async () => {
  const rig = await asking(
    [after("You are awake again", curl("b")), edit(), ...work.slice(1)],
    together(curl("a"), curl("b")),
  );
  const { id, token } = await agentOf(rig);
  const [, second] = await rig.store.approvals.asked(id, token);
  await tell(rig, said(rig, 1, `/flotilla approve ${second?.hash ?? ""}`));
  await tell(rig, said(rig, 1, "/flotilla deny not this one"));
  expect(toldTo(rig)[1]).toContain("Why: not this one.");
  expect(toldTo(rig)[1]).toContain("@alice lets this call pass once");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("records each of two identical calls of a turn of which one was allowed", async () => {
  const rig = await asking([after("You are awake again", together(curl(), curl()))]);
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect((await callsOf(rig)).map(({ status }) => status).toSorted()).toEqual(["pending", "success"]);
  expect(await dataOf(rig, "tool:start")).toHaveLength(2);
});

it("shows no secret of ours in what it asks", async () => {
  const secret = `ghp_${"a1".repeat(20)}`;
  const rig = await asking([], call("bash", { command: `curl -H 'Authorization: ${secret}' x` }));
  expect(commentsOn(rig)[0]).toContain("[redacted]");
  expect(commentsOn(rig).join()).not.toContain(secret);
});

it("wants a person in the end when nobody answers, and takes the answer then", async () => {
  const rig = await asking([after("You are awake again", curl()), edit(), ...work.slice(1)]);
  await rig.pass(25 * HOUR);
  expect(await stateOf(rig)).toBe("ESCALATED");
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ESCALATED", "ACTIVE", "COMPLETED"]);
});

it.each(["complete", "cancel"] as const)("ends by /flotilla %s while it waits", async (verb) => {
  const rig = await asking([]);
  await tell(rig, said(rig, 1, `/flotilla ${verb}`));
  expect(await stateOf(rig)).toBe(verb === "complete" ? "COMPLETED" : "CANCELLED");
});

it("asks nobody in mode auto, nor about a call that is not risky", async () => {
  const auto = await aRig({ script: [on(1, curl(), ...work)] });
  await tell(auto, labeled(auto, 1));
  expect(await stateOf(auto)).toBe("COMPLETED");
  const safe = await asking(work, call("bash", { command: "npm test" }));
  expect(await stateOf(safe)).toBe("COMPLETED");
});

it("keeps the call pending over restarts while a person decides, and lets the same call run after a yes", async () => {
  const rig = await asking([after("You are awake again", curl()), edit(), ...work.slice(1)]);
  await rig.restart();
  expect(await callsIn(rig)).toEqual(["pending: nothing yet"]);
  expect(await dataOf(rig, "tool:running")).toEqual([]);
  await rig.engine.handle(said(rig, 1, "/flotilla approve"));
  await rig.restart();
  await rig.idle();
  const calls = await callsOf(rig);
  expect(calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    "bash success",
    "edit success",
    "commit success",
    "open_pr success",
    "report_complete success",
  ]);
  const [first] = calls;
  const bash = { call: first?.toolCallId, tool: "bash" };
  expect(await dataOf(rig, "tool:start")).toHaveLength(calls.length);
  expect((await dataOf(rig, "tool:running"))[0]).toEqual(bash);
  expect((await dataOf(rig, "tool:result"))[0]).toMatchObject({ ...bash, status: "success" });
});

it("ends the call as denied at a no, before the agent is awake", async () => {
  const rig = await asking([after("You are awake again", edit()), ...work.slice(1)]);
  await rig.engine.handle(said(rig, 1, "/flotilla deny use the mirror"));
  const no = "A person said no to this call: use the mirror";
  expect(await callsIn(rig)).toEqual([`denied: ${no}`]);
  expect(await dataOf(rig, "tool:result")).toMatchObject([{ tool: "bash", status: "denied", output: no }]);
});

it.each(["cancel", "complete"] as const)(
  "says of a call that waits at /flotilla %s that it never ran",
  async (verb) => {
    const rig = await asking([]);
    await tell(rig, said(rig, 1, `/flotilla ${verb}`));
    expect(await callsIn(rig)).toEqual(["interrupted: It never ran."]);
    expect(await dataOf(rig, "tool:result")).toMatchObject([
      { status: "interrupted", output: "It never ran." },
    ]);
  },
);

it("says of an allowed call that it never ran when its agent is cancelled as it wakes", async () => {
  let opened = 0;
  const rig = await aRig({
    settings: ask,
    script: [on(1, curl())],
    wrapped: (given) => ({
      ...given,
      runtimes: eachRuntime(given, (real) => ({
        ...real,
        open: async (spec) => {
          opened += 1;
          if (opened === 2) await rig.engine.handle(said(rig, 1, "/flotilla cancel"));
          return real.open(spec);
        },
      })),
    }),
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(opened).toBe(2);
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect(await callsIn(rig)).toEqual(["interrupted: It never ran."]);
});

const questionsOn = (rig: Rig) =>
  commentsOn(rig).filter((text) => text.includes("asks a person for permission")).length;
const RAN = expect.stringMatching(/^success/);

it("runs an allowed call that is made twice in one message, and asks about the second", async () => {
  const twice = together(curl(), curl());
  const wrapped = behind(answeredTogether);
  const steps = [after("You are awake again", twice), edit(), ...work.slice(1)];
  const rig = await asking(steps, twice, { wrapped });
  await tell(rig, said(rig, 1, "/flotilla approve"));
  // Either of them may run.
  expect((await callsIn(rig)).toSorted()).toEqual(["pending: nothing yet", RAN]);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(questionsOn(rig)).toBe(2);
});

it("keeps the approval of a call where a new one before it in the message waits for a person", async () => {
  const both = after("You are awake again", together(curl("new"), curl()));
  const rig = await asking([both, edit(), ...work.slice(1)], curl(), { wrapped: behind(oneAfterAnother) });
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await callsIn(rig)).toEqual(["interrupted: It never ran.", "pending: nothing yet"]);
  expect(await stateOf(rig)).toBe("SLEEPING");
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect((await callsIn(rig)).slice(0, 3)).toEqual(["interrupted: It never ran.", RAN, RAN]);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(questionsOn(rig)).toBe(2);
});

it("lets an allowed call end before it asks about a new one after it in the message", async () => {
  const both = after("You are awake again", together(curl(), curl("new")));
  const rig = await asking([both, edit()], curl(), { wrapped: behind(oneAfterAnother) });
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await callsIn(rig)).toEqual([RAN, "pending: nothing yet"]);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(commentsOn(rig).at(-1)).toContain("https://example.com/new");
});

it("keeps the approval of a call that does not run because a limit ends the exchange", async () => {
  const both = together(curl(), call("bash", { command: "npm test" }));
  const rig = await aRig({
    settings: { ...ask, ...limitsOf({ maxToolCalls: 2 }) },
    script: [on(1, curl(), after("You are awake again", both), edit())],
  });
  await tell(rig, labeled(rig, 1));
  const hash = await hashOf(rig);
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect((await callsIn(rig))[0]).toBe("interrupted: It never ran.");
  const { id } = await agentOf(rig);
  expect(await rig.store.approvals.latest(id, hash)).toMatchObject({ state: "granted" });
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_tool_calls" });
});

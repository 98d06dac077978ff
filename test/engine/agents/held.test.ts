import { describe, expect, it } from "vitest";
import { OperationError } from "../../../src/domain/commands/operation-fault.ts";
import { advanceAgent, agentMove } from "../../../src/engine/kernel/advance-agent.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { byHand } from "../../reach/record.ts";
import { agentOf, commentsOn, runOf, sessionsOf, stateOf, statusComments } from "../look.ts";
import { labeled, locked, said, tell } from "../people.ts";
import { milestoned } from "../plans.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { after, edit, escalate, on, slowly, work } from "../scripts.ts";

const HELD = 'its sprint "First release" is at CHECKPOINT: @alice asked for a checkpoint';
const ENDS = "`/flotilla continue` on #9 (the goal's tracking issue) lets it continue";
const act = { agent: "acme/shop:feat-dev-issue-1", id: "a1", by: "operator:root", reason: null };

const reactionsTo = async (rig: Rig) =>
  (await rig.store.effects.find({ kind: "react" })).flatMap(({ payload }) =>
    payload.kind === "react" ? [`${payload.command.verb} ${payload.reaction}`] : [],
  );

/** The agent of issue 1 is at work when the sprint of goal #9 comes to a checkpoint. */
async function atCheckpoint(): Promise<Rig> {
  const rig = await aRig({
    script: [
      on(1, slowly(30 * MINUTE, edit()), after("You are awake again", edit("b.ts")), ...work.slice(1)),
    ],
    issues: 9,
  });
  for (const number of [1, 9]) milestoned(rig, number, { number: 2, title: "First release", dueOn: null });
  await tell(rig, labeled(rig, 9, { label: "goal" }));
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "planning");
  await tell(rig, said(rig, 9, "/flotilla checkpoint"));
  return rig;
}

describe("an agent that its sprint holds", () => {
  it("says on its issue what holds it and what ends that, and takes no thumbs up for a resume", async () => {
    const rig = await atCheckpoint();
    expect(statusComments(rig).at(-1)).toContain(`paused, because ${HELD.replace("@alice", "`@alice`")}`);
    await tell(rig, said(rig, 1, "/flotilla resume"));
    expect(await reactionsTo(rig)).toContain("resume confused");
    expect(commentsOn(rig).at(-1)).toContain(
      `\`/flotilla resume\` changes nothing: feat-dev-issue-1 is held: ${HELD}.\n\nInstead: ${ENDS}.`,
    );
    await tell(rig, said(rig, 1, "/flotilla why"));
    expect(commentsOn(rig).at(-1)).toContain(
      `Now:\n\n- feat-dev-issue-1 is SLEEPING: paused, because ${HELD} → ${ENDS}`,
    );
  });

  it("refuses the operator's resume with its own error, which names what ends it", async () => {
    const rig = await atCheckpoint();
    const error = await rig.engine.operations.resume(act).catch((thrown: unknown) => thrown);
    if (!(error instanceof OperationError)) throw new Error("it was not refused");
    expect({ code: error.code, message: error.message, hint: error.hint }).toEqual({
      code: "held",
      message: `feat-dev-issue-1 is held: ${HELD}`,
      hint: ENDS,
    });
    const [decision] = await rig.store.decisions.ofIssue(REPOSITORY.id, 1, 1);
    expect(decision).toMatchObject({ rule: "operation_refused", change: ENDS });
  });

  it("continues by exactly what it named", async () => {
    const rig = await atCheckpoint();
    await tell(rig, said(rig, 9, "/flotilla continue"));
    await rig.until("it has ended", async () => (await stateOf(rig)) === "COMPLETED");
    const [held] = [...(await rig.store.lists.holds([await agentOf(rig)])).values()];
    expect(held).toEqual([]);
  });

  it("keeps that hold when a person's own pause is lifted, and the person reads so", async () => {
    const rig = await atCheckpoint();
    await tell(rig, said(rig, 1, "/flotilla pause"));
    await tell(rig, said(rig, 1, "/flotilla resume"));
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["sprint"] });
    expect(commentsOn(rig).at(-1)).toContain(
      `\`/flotilla resume\` is taken, and the work waits on: ${HELD}.\n\nWhat ends that: ${ENDS}.`,
    );
    expect(await reactionsTo(rig)).toContain("resume +1");
    await tell(rig, said(rig, 9, "/flotilla continue"));
    await rig.until("it has ended", async () => (await stateOf(rig)) === "COMPLETED");
  });
});

it.each([
  ["person", "everything is paused by alice: too dear", "`flotilla resume --all` lifts it"],
  ["incident", "everything is paused by an incident: too dear", "the pause ends when the incident is over"],
] as const)("one of a scope paused by %s is refused with what lifts that", async (holder, what, ends) => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: "too dear" });
  if (holder === "incident") {
    await rig.store.scopePauses.add({ scope: "all", holder, by: "flotilla", reason: "too dear", since: 0 });
    await rig.store.scopePauses.lift("all", "person");
  }
  await rig.idle();
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(commentsOn(rig).at(-1)).toContain(`feat-dev-issue-1 is held: ${what}.\n\nInstead: ${ends}.`);
  await expect(rig.engine.operations.resume(act)).rejects.toMatchObject({ code: "held", hint: ends });
});

it("an answer that is kept for an escalated one says what it waits on", async () => {
  const rig = await aRig({
    script: [on(1, escalate, after("You are awake again", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: null });
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(commentsOn(rig).at(-1)).toContain("is taken, and the work waits on: everything is paused by alice.");
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await rig.until("it has ended", async () => (await stateOf(rig)) === "COMPLETED");
});

it("a start that the machine refuses gets the reason and no thumbs up", async () => {
  const storm = { ...someSettings().storm, maxStartsPerIssuePerHour: 1 };
  const rig = await aRig({ script: [on(1, escalate)], settings: { storm } });
  await tell(
    rig,
    labeled(rig, 1),
    said(rig, 1, "/flotilla cancel"),
    said(rig, 1, "/flotilla start feat-dev"),
  );
  expect(await reactionsTo(rig)).toEqual(["cancel +1", "start confused"]);
  expect(commentsOn(rig).join("\n")).toContain("`/flotilla start` changes nothing: ");
  expect(await rig.store.records.find("agent", {})).toHaveLength(1);
});

it("a further pause by another holder is taken; its conversation, paused already, makes no transition", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "planning");
  await tell(rig, said(rig, 1, "/flotilla pause"));
  const [before] = await sessionsOf(rig);
  await tell(rig, locked(rig, 1, true));
  expect((await agentOf(rig)).heldBy.toSorted()).toEqual(["lock", "person"]);
  expect(before?.state).toBe("paused");
  expect(await sessionsOf(rig)).toEqual([before]);
  const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  const pauses = moves.filter(({ event }) => event === "PAUSE").map(({ machine }) => machine);
  expect(pauses.filter((machine) => machine === "agent")).toHaveLength(2);
  expect(pauses.filter((machine) => machine === "session")).toHaveLength(1);
  const agent = await agentOf(rig);
  const why = "an incident";
  const third = { type: "PAUSE", at: rig.clock.now(), actor: "flotilla", holder: "incident", why } as const;
  const { refused } = await byHand(() =>
    advanceAgent(rig.context, agent, { moves: [agentMove(agent, third)] }),
  );
  expect(refused).toEqual([]);
  expect(await sessionsOf(rig)).toEqual([before]);
});

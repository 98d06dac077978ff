import { expect, it } from "vitest";
import { GitError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, stateOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, edit, escalate, on, onAttempt, work } from "../scripts.ts";
import { act } from "../under-operation.ts";

const AWAKE = "You are awake again";
const WORDS = "Print a list,\n\nsorted by name.";

/** How often the agent of issue 1 has read them, in all of its conversation. */
const heard = (rig: Rig) => toldTo(rig).join("\n").split(WORDS).length - 1;

async function escalated(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, escalate, after(AWAKE, edit()), ...work.slice(1))] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

async function paused(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, blocked(2), after(AWAKE, edit()), ...work.slice(1))] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla pause"));
  return rig;
}

async function atTheLimit(): Promise<Rig> {
  const rig = await aRig({
    settings: limitsOf({ maxTurns: 4 }),
    script: [
      on(1, edit(), edit("b.ts"), edit("c.ts"), edit("e.ts"), after(AWAKE, edit("d.ts")), ...work.slice(1)),
    ],
  });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** Its conversation was open, and git has not served it since. */
async function inError(): Promise<{ rig: Rig; back: () => void }> {
  const rig = await aRig({ script: [on(1, ...work)] });
  const prepare = methodOf(rig.worktrees, "prepare");
  rig.worktrees.prepare = async () => {
    throw new GitError("network", "could not fetch acme/shop: 503", { consequence: "retry" });
  };
  await tell(rig, labeled(rig, 1));
  for (let minute = 0; minute < 20; minute += 1) await rig.pass(MINUTE);
  return { rig, back: () => void (rig.worktrees.prepare = prepare) };
}

async function cancelled(): Promise<Rig> {
  const rig = await aRig({ script: [onAttempt(1, 2, ...work), on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  return rig;
}

it.each([
  ["resume", "escalated", escalated],
  ["resume", "paused", paused],
  ["continue", "escalated", escalated],
  ["continue", "at its limit", atTheLimit],
  ["continue 9\n", "at its limit", atTheLimit],
] as const)("/flotilla %s tells an agent that is %s what follows it", async (verb, _, begin) => {
  const rig = await begin();
  await tell(rig, said(rig, 1, `/flotilla ${verb} ${WORDS}`));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(heard(rig)).toBe(1);
});

it("/flotilla continue 9 grants the turns beside the words", async () => {
  const rig = await atTheLimit();
  await tell(rig, said(rig, 1, `/flotilla continue 9\n${WORDS}`));
  expect(await agentOf(rig)).toMatchObject({ extraTurns: 9 });
});

it.each(["resume", "retry"])("/flotilla %s tells what follows it to one that tries again", async (verb) => {
  const { rig, back } = await inError();
  back();
  await tell(rig, said(rig, 1, `/flotilla ${verb} ${WORDS}`));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(heard(rig)).toBe(1);
});

it("a later attempt reads what was said with a resume that nobody could take", async () => {
  const rig = await cancelled();
  await tell(rig, said(rig, 1, `/flotilla resume ${WORDS}`));
  await tell(rig, said(rig, 1, "/flotilla retry"));
  expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe("COMPLETED");
  expect(heard(rig)).toBe(1);
});

it.each([
  ["resume", "escalated", escalated],
  ["resume", "paused", paused],
  ["continue", "at its limit", atTheLimit],
  ["retry", "cancelled", cancelled],
  ["revive", "cancelled", cancelled],
] as const)("the operator's %s tells an agent that is %s the reason", async (verb, _, begin) => {
  const rig = await begin();
  const { name } = await rig.engine.operations[verb]({ ...act, reason: WORDS });
  await rig.idle();
  expect(await stateOf(rig, name)).toBe("COMPLETED");
  expect(heard(rig)).toBe(1);
  expect(toldTo(rig).join("\n")).toContain("The operator says:");
});

it("the operator's retry tells its reason to one that tries again", async () => {
  const { rig, back } = await inError();
  back();
  await rig.engine.operations.retry({ ...act, reason: WORDS });
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(heard(rig)).toBe(1);
});

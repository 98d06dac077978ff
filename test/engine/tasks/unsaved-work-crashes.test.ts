import { expect, it } from "vitest";
import type { DomainEvent } from "../../../src/domain/events/domain-event.ts";
import { agentOf, decisionsOn, stateOf, statusComments } from "../look.ts";
import { ON_POSTGRES } from "../on-postgres.ts";
import { labeled, said } from "../people.ts";
import { createRig, type Rig } from "../rig.ts";
import { edit, escalate, on, type Step } from "../scripts.ts";

const NAME = "feat-dev-issue-1";
const FILE = "feature.ts";
const REFUSED: Step = { error: { status: 400, message: "no such model" } };

/** From one death to the next: there are dozens of places, and on a server a life takes seconds. */
const STRIDE = ON_POSTGRES ? 4 : 1;

/** Calls of ports that change something; a crash before any other is one before the next of these. */
const CHANGES = /transaction|worktrees\.(?!status|tree|behind)|runtime\.(?:destroy|close)|put|destroy/;

/** One life in which the process dies just before that change, counted from the end's beginning; 0 for none. */
async function ending(steps: readonly Step[], end: ((rig: Rig) => DomainEvent) | null, crashAt: number) {
  const rig = await createRig({ script: [on(1, ...steps)] });
  let changes = 0;
  let ends = false;
  let died = Promise.withResolvers<void>();
  rig.onCall = (call) => {
    ends ||= end === null && rig.worktrees.read(NAME, FILE) !== null;
    if (!ends || !CHANGES.test(call)) return;
    changes += 1;
    if (changes !== crashAt) return;
    rig.life.end();
    died.resolve();
  };
  const isSafe = () => rig.worktrees.read(NAME, FILE) !== null || rig.worktrees.archived(NAME, FILE) !== null;
  let lost = false;
  const surely = async (act: () => Promise<unknown>) => {
    await Promise.race([act(), died.promise]);
    if (!rig.life.over) return;
    lost ||= !isSafe();
    died = Promise.withResolvers();
    await rig.restart();
    await act();
  };
  const first = labeled(rig, 1);
  await surely(() => rig.engine.handle(first));
  await surely(() => rig.idle());
  ends ||= end !== null;
  if (end !== null) {
    const last = end(rig);
    await surely(() => rig.engine.handle(last));
  }
  await surely(() => rig.idle());
  await surely(() => rig.pass(10_000));
  const row = (await rig.store.archives.ofAgents([(await agentOf(rig)).id])).at(0);
  const seen = {
    state: await stateOf(rig),
    worktree: rig.worktrees.read(NAME, FILE),
    archived: rig.worktrees.archived(NAME, FILE),
    told: statusComments(rig).filter((body) => body.includes(`${row?.path}`)).length,
    decided: (await decisionsOn(rig)).filter((rule) => rule === "worktree_archived").length,
    slots: await rig.store.records.slotsInUse(),
  };
  await rig.close();
  return { seen, changes, lost };
}

it.each([
  ["complete", [edit(), escalate], (rig: Rig) => said(rig, 1, "/flotilla complete")],
  ["cancel", [edit(), escalate], (rig: Rig) => said(rig, 1, "/flotilla cancel")],
  ["fail", [edit(), REFUSED], null],
] as const)("loses nothing wherever the process dies at the end by %s", async (_, steps, end) => {
  const clean = await ending(steps, end, 0);
  expect(clean.seen).toMatchObject({ worktree: null, archived: "export {};", told: 1, decided: 1, slots: 0 });
  expect(clean.changes).toBeGreaterThan(8);
  for (let crashAt = 1; crashAt <= clean.changes; crashAt += STRIDE) {
    const { seen, lost } = await ending(steps, end, crashAt);
    expect({ seen, lost }, `after a crash at change ${crashAt}`).toEqual({ seen: clean.seen, lost: false });
  }
});

import { expect, it } from "vitest";
import type { DomainEvent } from "../../../src/domain/events/domain-event.ts";
import { CLAIM } from "../../factories/leases.ts";
import { commentsOn, runOf, stateOf, statusComments, taskOf } from "../look.ts";
import { closed, labeled } from "../people.ts";
import { aRig, createRig, type Rig } from "../rig.ts";
import { after, blocked, commit, complete, edit, on, openPr } from "../scripts.ts";

/** An agent that does everything again after a restart, as one would that does not know how far it came. */
const SCRIPT = [
  on(
    1,
    edit(),
    blocked(2),
    after("which blocked you", commit),
    openPr,
    complete,
    after("interrupted by a restart", edit()),
    blocked(2),
    commit,
    openPr,
    complete,
  ),
];

/** One run, in which the process dies just before its call `crashAt` of a port; 0 for a life without trouble. */
async function run(crashAt: number): Promise<{ calls: number; seen: unknown; crashedAt: string }> {
  const rig = await createRig({ script: SCRIPT });
  let calls = 0;
  let crashedAt = "";
  let gone = Promise.withResolvers<void>();
  rig.onCall = (call) => {
    calls += 1;
    if (calls !== crashAt) return;
    crashedAt = call;
    rig.life.end();
    gone.resolve();
  };
  /** Again after a crash, as the inbox would. */
  const surely = async (act: () => Promise<unknown>): Promise<void> => {
    await Promise.race([act(), gone.promise]);
    if (!rig.life.over) return;
    gone = Promise.withResolvers();
    await rig.restart();
    await act();
  };
  const tell = async (event: DomainEvent): Promise<void> => {
    await surely(() => rig.engine.handle(event));
    await surely(() => rig.idle());
    await surely(() => rig.pass(10_000));
  };
  await tell(labeled(rig, 1));
  await tell(closed(rig, 2));
  const seen = await outcome(rig);
  await rig.close();
  return { calls, seen, crashedAt };
}

async function outcome(rig: Rig) {
  const task = await taskOf(rig);
  return {
    agents: (await rig.store.records.find("agent", {})).length,
    state: await stateOf(rig),
    run: (await runOf(rig))?.state,
    task: task?.state,
    reviewed: task?.reviewCommit === rig.worktrees.serverHead("flotilla/feat-dev/issue-1"),
    comments: commentsOn(rig).length,
    status: statusComments(rig).length,
    pulls: rig.repository.pulls.size,
    slots: await rig.store.records.slotsInUse(),
    processes: rig.runtime.running.size,
  };
}

it("ends the same wherever the process dies between two calls", async () => {
  const clean = await run(0);
  expect(clean.seen).toMatchObject({ state: "COMPLETED", comments: 1, pulls: 1, status: 1, reviewed: true });
  const stride = Math.ceil(clean.calls / 12);
  for (let crashAt = 1; crashAt <= clean.calls; crashAt += stride) {
    const { seen, crashedAt } = await run(crashAt);
    expect(seen, `after a crash before call ${crashAt}, ${crashedAt}`).toEqual(clean.seen);
  }
});

it("takes up again a delivery that was being read when the process died", async () => {
  const rig = await aRig();
  const row = { event: "issues", action: "opened", installationId: 5, repositoryId: 7, lane: "7#1" };
  await rig.store.deliveries.insert([{ ...row, guid: "d-1", payload: "{}", receivedAt: rig.clock.now() }]);
  const claim = () => rig.store.deliveries.claim({ ...CLAIM, now: rig.clock.now(), limit: 1 });
  expect(await claim()).toHaveLength(1);
  expect(await claim()).toEqual([]);
  await rig.restart();
  expect(await claim()).toMatchObject([{ guid: "d-1" }]);
});

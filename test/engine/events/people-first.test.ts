import { expect, it } from "vitest";
import { issueStatusOf } from "../../../src/engine/merge-queue/agent-statuses.ts";
import { MINUTE } from "../../factories/moment.ts";
import {
  agentOf,
  answersTo,
  commentsOn,
  decisionsOn,
  stateOf,
  statusComments,
  taskOf,
  toldTo,
} from "../look.ts";
import { edited, gone, labeled, locked, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, edit, on, slowly, work } from "../scripts.ts";

/** An agent on issue 1 that is in the middle of an exchange, and one on issue 2 that waits for issue 1. */
async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [on(2, blocked(1)), on(1, slowly(MINUTE, edit()), ...work.slice(1))] });
  await tell(rig, labeled(rig, 2));
  await rig.engine.handle(labeled(rig, 1));
  await rig.until(
    "it talks",
    async () => (await stateOf(rig)) === "ACTIVE" && rig.runtime.running.size === 1,
  );
  await rig.quiet();
  return rig;
}

it.each([null, "acme/other#9"])(
  "ends the work on an issue that is gone, to %s, and writes nothing there",
  async (to) => {
    const rig = await atWork();
    const calls: string[] = [];
    rig.onCall = (call) => void calls.push(call);
    await tell(rig, gone(rig, 1, to));
    expect(await stateOf(rig)).toBe("CANCELLED");
    expect((await taskOf(rig))?.state).toBe("ABANDONED");
    expect(rig.runtime.running.has("feat-dev-issue-1")).toBe(false);
    expect(await decisionsOn(rig)).toContain("issue_gone");
    expect(await decisionsOn(rig)).not.toContain("effect_failed");
    const waiter = await agentOf(rig, "feat-dev-issue-2");
    expect(waiter.blockedBy).toEqual([]);
    const { status } = await issueStatusOf(rig.context, { repositoryId: REPOSITORY.id, issue: 1 });
    const next = to === null ? "nothing: work for it needs a new issue" : `label ${to}, or say`;
    expect(status).toEqual([expect.stringContaining(`→ ${next}`), expect.stringContaining(`→ ${next}`)]);
  },
);

it("holds the work on a locked issue until it is unlocked", async () => {
  const rig = await atWork();
  await tell(rig, locked(rig, 1, true));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused", heldBy: ["lock"] });
  expect(await decisionsOn(rig)).toContain("locked");
  await tell(rig, said(rig, 1, "@flotilla hello"));
  expect(await stateOf(rig)).toBe("SLEEPING");
  await rig.engine.handle(locked(rig, 1, false));
  await rig.until("it continues", async () => (await stateOf(rig)) === "ACTIVE");
  expect((await agentOf(rig)).heldBy).toEqual([]);
});

it("keeps a person's own pause when the issue is unlocked", async () => {
  const rig = await atWork();
  await tell(rig, said(rig, 1, "/flotilla pause"), locked(rig, 1, true), locked(rig, 1, false));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["person"] });
  await rig.engine.handle(locked(rig, 1, true));
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["lock"] });
});

it("starts nobody on a locked issue, whatever its label or a command says, and says so", async () => {
  const rig = await aRig();
  Object.assign(rig.repository.issues.get(1) ?? {}, { locked: true });
  await tell(rig, labeled(rig, 1), said(rig, 1, "/flotilla start feat-dev"));
  expect(await rig.store.records.find("agent", {})).toEqual([]);
  expect(await decisionsOn(rig)).toContain("locked");
  expect(statusComments(rig).at(-1)).toContain("the issue is locked");
});

it("tells an agent at work what a permitted person changed in its issue, and nothing that others changed", async () => {
  const rig = await atWork();
  await rig.engine.handle(edited(rig, 1, "Do 1, in blue.", { by: "alice" }));
  await rig.engine.handle(edited(rig, 1, "Do 1, in red.", { by: "eve" }));
  await rig.work(5 * MINUTE);
  await rig.idle();
  const read = [...toldTo(rig), ...answersTo(rig)].join("\n");
  expect(read).toContain("@alice edited the issue");
  expect(read).toContain("> Do 1, in blue.");
  expect(read).not.toContain("in red");
  expect(await decisionsOn(rig)).toContain("not_permitted");
  expect(commentsOn(rig)).toEqual([]);
});

import { expect, it } from "vitest";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { agentOf, decisionsOn, stateOf, statusComments } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { gone, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { commit, edit, escalate, on, openPr } from "../scripts.ts";

const NAME = "feat-dev-issue-1";
const FILE = "feature.ts";
const DAY = 24 * HOUR;

/** An agent that waits for a person, with a file that it has not committed. */
async function withUnsavedWork(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, edit(), escalate)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

const archiveOf = async (rig: Rig) => (await rig.store.archives.ofAgents([(await agentOf(rig)).id])).at(0);

it("archives what an agent leaves unsaved, and tells people how to have it back, in the status comment alone", async () => {
  const rig = await withUnsavedWork();
  await tell(rig, said(rig, 1, "/flotilla release"));
  expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED", worktreePath: null });
  expect(rig.worktrees.read(NAME, FILE)).toBeNull();
  expect(rig.worktrees.archived(NAME, FILE)).toBe("export {};");
  const row = await archiveOf(rig);
  expect(row).toMatchObject({ removedAt: null, expiresAt: rig.clock.now() + 7 * DAY });
  expect(await decisionsOn(rig)).toContain("worktree_archived");
  expect(statusComments(rig)).toHaveLength(1);
  expect(statusComments(rig)[0]).toContain(
    `git fetch "$FLOTILLA_DATA_DIR/${row?.path}" refs/flotilla/archives/${NAME}:`,
  );
});

it("ends where too many files changed for an archive, and tells people where they are and until when", async () => {
  const rig = await withUnsavedWork();
  const remove = methodOf(rig.worktrees, "remove");
  const files = `archives/7/${NAME}/0123456789ab.files`;
  rig.worktrees.remove = async (...given) => {
    const { archive } = await remove(...given);
    return { archive: archive === null ? null : { ...archive, files } };
  };
  await tell(rig, said(rig, 1, "/flotilla release"));
  expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED", worktreePath: null });
  expect(statusComments(rig)[0]).toMatch(
    /its files kept as they are until \d{4}-.*archives\/7\/\S+\.files before then/,
  );
  await rig.pass(8 * DAY);
  expect(await archiveOf(rig)).toMatchObject({ removedAt: rig.clock.now() });
});

it("archives nothing of work that is on the server", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, escalate)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla complete"));
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", worktreePath: null });
  expect(await archiveOf(rig)).toMatchObject({ path: null });
  expect(await decisionsOn(rig)).not.toContain("worktree_archived");
  expect(statusComments(rig)[0]).not.toContain("git fetch");
});

it("writes nothing of it on an issue that is gone", async () => {
  const rig = await withUnsavedWork();
  const before = statusComments(rig);
  await tell(rig, gone(rig, 1));
  expect(await archiveOf(rig)).toMatchObject({ path: expect.any(String) });
  expect(statusComments(rig)).toEqual(before);
  expect(await decisionsOn(rig)).not.toContain("effect_failed");
});

it("forgets what is kept when its time is over and not before, whatever its size, and survives a crash there", async () => {
  const rig = await withUnsavedWork();
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  await rig.pass(7 * DAY - 1);
  expect(rig.worktrees.archived(NAME, FILE)).not.toBeNull();
  const died = Promise.withResolvers<void>();
  rig.onCrashPoint = (name) => {
    if (name !== "effect:forget_work") return;
    rig.life.end();
    died.resolve();
  };
  await Promise.race([rig.pass(1), died.promise]);
  rig.onCrashPoint = () => {};
  await rig.restart();
  await rig.pass(MINUTE);
  expect(rig.worktrees.archived(NAME, FILE)).toBeNull();
  expect(await archiveOf(rig)).toMatchObject({ removedAt: expect.any(Number) });
  expect((await decisionsOn(rig)).filter((rule) => rule === "work_forgotten")).toHaveLength(1);
  await tell(rig, said(rig, 1, "/flotilla status"));
  expect(statusComments(rig)[0]).not.toContain("git fetch");
});

it("forgets nothing of an agent that lives, however long it sleeps", async () => {
  const rig = await withUnsavedWork();
  await rig.pass(30 * DAY);
  expect(await stateOf(rig)).toBe("ESCALATED");
  expect(rig.worktrees.read(NAME, FILE)).not.toBeNull();
  expect(await archiveOf(rig)).toBeUndefined();
});

it("keeps a worktree that cannot be archived, says so, and tries again within the hour", async () => {
  const rig = await withUnsavedWork();
  const remove = methodOf(rig.worktrees, "remove");
  let full = true;
  rig.worktrees.remove = async (...given) =>
    full ? Promise.reject(new Error("the disk is full")) : remove(...given);
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  for (let round = 0; round < 5; round += 1) await rig.pass(5 * MINUTE);
  expect(await decisionsOn(rig)).toContain("effect_failed");
  expect(rig.worktrees.read(NAME, FILE)).not.toBeNull();
  full = false;
  await rig.pass(HOUR);
  expect(rig.worktrees.read(NAME, FILE)).toBeNull();
  expect(statusComments(rig)[0]).toContain("restored/");
});

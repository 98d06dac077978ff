import { aRole } from "../factories/a-role.ts";
import { MINUTE } from "../factories/moment.ts";
import { rolesOf, someSettings } from "../factories/some-settings.ts";
import { killOnce } from "./kill-once.ts";
import { taskOf } from "./look.ts";
import { approves, rounds } from "./merge-queue-rig.ts";
import { labeled, reviewed, said, tell } from "./people.ts";
import { aRig, type Rig, type RigOptions } from "./rig.ts";
import {
  type Conversation,
  commit,
  complete,
  edit,
  on,
  onAttempt,
  openPr,
  replan,
  type Step,
  slowly,
  work,
} from "./scripts.ts";

const WITH_OTHER = { settings: { roles: rolesOf(aRole(), aRole({ name: "bug-fix", triggers: [] })) } };
const THINKS = slowly(30 * MINUTE, edit("list.txt", "no\n"));

/** Approved work whose base moved onto the same lines; its coder is at work on that, and comes to nothing. */
export async function coderMends(then: readonly Conversation[] = [], options: RigOptions = {}): Promise<Rig> {
  const writes = on(1, edit("list.txt", "mine\n"), commit, openPr, complete);
  const rig = await aRig({ ...WITH_OTHER, ...options, script: [...then, onAttempt(1, 2, THINKS), writes] });
  await tell(rig, labeled(rig, 1));
  await approves(rig, 1);
  await rounds(rig);
  rig.worktrees.serverCommit("main", { "list.txt": "theirs\n" });
  rig.clock.advance(5 * MINUTE);
  await rig.engine.tick();
  await rig.until("its coder fixes", async () => (await taskOf(rig))?.state === "CLAIMED");
  return rig;
}

/** A minute passes before its first word. */
export const silentAtFirst: readonly Step[] = [slowly(MINUTE, edit()), ...work];

/** The first attempt's process dies four times; the second one does `second`. */
export async function failedOnce(second: readonly Step[] = work, options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ ...options, script: [onAttempt(1, 2, ...second), on(1, ...silentAtFirst)] });
  await rig.engine.handle(labeled(rig, 1));
  for (const seconds of [5, 10, 20, 0]) {
    await killOnce(rig);
    rig.clock.advance(seconds * 1000);
  }
  return rig;
}

/** Why the coder of `needsReplanning` does not continue. */
export const TWO_TASKS = "These are two pieces of work.";

/** Work whose coder says after a first edit that its task needs replanning; woken, it continues and is done. */
export async function needsReplanning(options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({
    ...options,
    script: [onAttempt(1, 2, ...work), on(1, edit("first.ts"), replan(TWO_TASKS), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** A person asks for changes on the pull request, `times` times. */
export async function rejects(rig: Rig, times: number, pull = 4): Promise<void> {
  for (let more = times; more > 0; more -= 1) {
    const round = rig.repository.reviews.get(pull)?.length ?? 0;
    await tell(rig, reviewed(rig, pull, "changes_requested", { body: `Wrong again (${round}).` }));
  }
}

/** Work that was rejected twice in a row, as often as it may be; its coder had completed each time. */
export async function deadlockOfCompleted(): Promise<Rig> {
  const rig = await aRig({
    settings: { review: { ...someSettings().review, maxCycles: 2 } },
    script: [
      ...[6, 5, 4, 3, 2].map((attempt) =>
        onAttempt(1, attempt, edit(`mended-${attempt}.ts`), commit, openPr, complete),
      ),
      on(1, edit(), commit, openPr, complete),
    ],
  });
  await tell(rig, labeled(rig, 1));
  await rejects(rig, 2);
  return rig;
}

/** Work of a coder that had completed, rejected; the attempt that takes it up again was cancelled before it started. */
export async function rejectedAndLeft(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, complete)] });
  await tell(rig, labeled(rig, 1));
  const pause = { scope: "all", by: "operator:olga", reason: null } as const;
  await rig.engine.operations.pauseScope(pause);
  await rejects(rig, 1);
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await rig.idle();
  return rig;
}

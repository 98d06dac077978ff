import { aRole } from "../../factories/a-role.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { withoutPutOff } from "../../factories/put-off.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { approvedWork, checkOf, merging, rounds } from "../merge-queue-rig.ts";
import { labeled, reviewed, said, tell } from "../people.ts";
import { failing, headOf, put } from "../put-checks.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import {
  call,
  commit,
  complete,
  edit,
  on,
  onAttempt,
  openPr,
  replan,
  review,
  type Step,
  slowly,
} from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const WRITES: readonly Step[] = [edit("list.txt", "one\n"), commit, openPr];
export const START_WORKS: readonly Step[] = [slowly(HOUR, edit("again.ts"))];

export const stops = (rig: Rig) =>
  rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: "let me look" });
export const lets = (rig: Rig) => rig.engine.operations.resumeScope({ scope: "all", by: "alice" });

export async function begun(script: RigOptions["script"] = [], options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ ...options, script });
  await tell(rig, labeled(rig, 1));
  return rig;
}

export const followed = async (made: Promise<Rig>, ...acts: readonly ((rig: Rig) => Promise<unknown>)[]) => {
  const rig = await made;
  for (const act of acts) await act(rig);
  return rig;
};

export const says = (words: string) => (rig: Rig) => tell(rig, said(rig, 1, words));

/** Up for review: its coder sleeps for it, or is done. */
export const up = (coder: "sleeps" | "is done", options: RigOptions = {}) =>
  begun([onAttempt(1, 2, ...START_WORKS), on(1, ...WRITES, coder === "sleeps" ? review : complete)], options);

export const judges = (verdictOf: "approved" | "changes_requested") => (rig: Rig) =>
  tell(rig, reviewed(rig, pullOf(rig), verdictOf));

/** The merge queue finds that it conflicts with its base; its coder is held, or does not begin again. */
export async function conflict(coder: "sleeps" | "is done"): Promise<Rig> {
  const rig = await up(coder, { settings: merging(), files: { "list.txt": "none\n" } });
  if (coder === "sleeps") await says("/flotilla pause")(rig);
  else await stops(rig);
  rig.worktrees.serverCommit("main", { "list.txt": "theirs\n" });
  await judges("approved")(rig);
  for (let round = 0; round < 6; round += 1) await rig.pass(MINUTE);
  return rig;
}

/** A required check is red while the work is up for review, and its coder is held. */
export async function redUnderReview(): Promise<Rig> {
  const rig = await followed(up("sleeps"), says("/flotilla pause"));
  rig.repository.requiredChecks = ["build"];
  await tell(rig, put(rig, headOf(rig), { build: failing(11, "Error: expected 1, got 2") }));
  return rig;
}

/** A required check is red once the base was merged into approved work. */
export async function redOnTheBase(): Promise<Rig> {
  const rig = await approvedWork({
    settings: merging(["build"]),
    script: [onAttempt(1, 2, ...START_WORKS)],
    before: (one) => {
      one.onCall = () => {};
      one.worktrees.serverCommit("main", { "other.txt": "moved\n" });
    },
  });
  await stops(rig);
  rig.repository.checks.set(headOf(rig), [checkOf("build", "red")]);
  await rig.pass(5 * MINUTE);
  await rounds(rig);
  return rig;
}

export async function deadlock(coder: Step): Promise<Rig> {
  const rig = await begun([onAttempt(1, 2, ...START_WORKS), on(1, ...WRITES, coder)], {
    settings: { review: { ...someSettings().review, maxCycles: 1 } },
  });
  await judges("changes_requested")(rig);
  return rig;
}

export async function coderFails(): Promise<Rig> {
  const fails: Step = { error: { status: 400, message: "no such model" } };
  const rig = await begun([onAttempt(1, 3, ...START_WORKS), onAttempt(1, 2, fails), on(1, fails)]);
  await says("/flotilla start")(rig);
  return rig;
}

const PLANNER = aRole({
  name: "planner",
  evidence: "outputs",
  triggers: [{ event: "issues.labeled", label: "plan-work" }],
  capabilities: ["read"],
  tools: ["create_sub_issue", "finalize_plan", "supersede_task", "report_complete"],
});

export async function planned(...steps: readonly Step[]): Promise<Rig> {
  const settings = { roles: rolesOf(aRole(), PLANNER) };
  const rig = await aRig({ settings, script: [on(1, ...steps), on(4, ...START_WORKS)] });
  await tell(rig, labeled(rig, 1, { label: "plan-work" }));
  return rig;
}

/** Issue 2, a part of issue 1, cannot be done as it is, and the planner puts issue 3 in its place. */
export async function superseded(): Promise<Rig> {
  const rig = await aRig({
    settings: { roles: rolesOf(aRole(), PLANNER) },
    script: [
      on(1, call("supersede_task", { issue: 2, by: 3, reason: "Smaller." }), complete),
      on(2, replan()),
    ],
  });
  rig.repository.parents.set(2, 1);
  await tell(rig, labeled(rig, 2));
  await tell(rig, labeled(rig, 1, { label: "plan-work" }));
  return rig;
}

/** Until the status comments are written, also while agents are at work. */
export async function written(rig: Rig): Promise<void> {
  await rig.until("it is written", async () => {
    await rig.engine.tick();
    return (
      withoutPutOff(
        await rig.store.effects.find({ kind: "status_comment", state: "pending" }),
        rig.clock.now(),
      ).length === 0
    );
  });
}

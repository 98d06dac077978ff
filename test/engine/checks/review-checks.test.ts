import { describe, expect, it } from "vitest";
import { failureFingerprint } from "../../../src/domain/checks/check-failure.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, commentsOn, decisionsOn, stateOf, statusComments, taskOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { failing, headOf, type PutCheck, put } from "../put-checks.ts";
import { aRig, OUR_SECRET, type Rig, type RigOptions } from "../rig.ts";
import { commit, complete, edit, on, onAttempt, work } from "../scripts.ts";
import { atWork, awake, inReview, requestReview } from "../together/work-under-way.ts";

const SECOND = "feat-dev-issue-1.2";
const TROUBLE = "Error: expected 1, got 2";
const GREEN: PutCheck = { state: "green", job: 900 };

/** Fixes something, as attempt `n` and with a commit of its own. */
const fixes = (n: number) => onAttempt(1, n, edit(`fix-${n}.ts`), commit, complete);

/** Finished work under review; only now GitHub requires `build`, so that it never was green on this commit. */
async function underReview({ script = [], ...options }: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ ...options, script: [...script, on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  rig.repository.requiredChecks = ["build"];
  rig.clock.advance(MINUTE);
  return rig;
}

/** What it claims next is up for review at once; `build` is required from then on. */
async function upAgain(rig: Rig): Promise<void> {
  rig.repository.requiredChecks = [];
  rig.clock.advance(MINUTE);
  await tell(rig, put(rig, headOf(rig), {}));
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  rig.repository.requiredChecks = ["build"];
}

/** A run of `build` on some other commit. */
const seen = (run: string, state: "green" | "red") => ({
  repositoryId: 7,
  ref: "e".repeat(40),
  name: "build",
  run,
  state,
  conclusion: "success",
  fingerprint: null,
  job: null,
  step: null,
  log: "",
  excused: false,
  rerun: null,
  rerunAt: null,
  seenAt: 1,
});

const attempts = async (rig: Rig) => rig.store.checks.attempts((await taskOf(rig))?.id ?? 0);

describe("a required check that fails by the commit's own doing", () => {
  it("rejects the work and reopens it with the failing step and its log, secrets taken out", async () => {
    const rig = await underReview({ script: [fixes(2)] });
    const log = `2026-01-01T10:00:00.1234567Z setting up\nError: expected 1, got 2 (${OUR_SECRET})`;
    await rig.engine.handle(put(rig, headOf(rig), { build: failing(11, log) }));
    await rig.until("it is reopened", async () => toldTo(rig)[0]?.includes("attempt 2") ?? false);
    const [told = ""] = toldTo(rig);
    expect(told).toContain('The check build on the pull request ended with failure (step "npm test")');
    expect(told).toContain("    Error: expected 1, got 2");
    expect(told).not.toContain(OUR_SECRET);
    expect(told).not.toContain("2026-01-01T10:00");
    await rig.idle();
    const moves = await rig.store.transitions.ofIssue(7, 1, 100);
    expect(moves.find(({ event }) => event === "CHECKS_FAIL")).toMatchObject({
      from: "READY_FOR_REVIEW",
      to: "REJECTED",
      reason: "required checks fail: build (npm test: failure)",
    });
    expect((await agentOf(rig, SECOND)).prNumber).toBe((await agentOf(rig)).prNumber);
  });

  it("is worth one attempt, however often it is told of", async () => {
    const rig = await underReview({ script: [fixes(2)] });
    const head = headOf(rig);
    const red = put(rig, head, { build: failing(11) });
    await tell(rig, red, { ...red, delivery: "again" });
    await rig.pass(5 * MINUTE);
    expect((await attempts(rig)).map((one) => one.commit)).toEqual([head]);
    expect(await agentOf(rig, SECOND)).toMatchObject({ state: "SLEEPING", sleepReason: "checks" });
  });

  it("that comes back in the same way is a person's after three attempts, told once and by name", async () => {
    const settings = { escalation: { label: "needs-human", notify: ["oncall"] } };
    const rig = await underReview({ script: [4, 3, 2].map(fixes), settings });
    for (const n of [1, 2, 3]) {
      await tell(
        rig,
        put(rig, headOf(rig), { build: failing(n, `Error: expected 1, got 2 after ${n}0 ms`) }),
      );
      await upAgain(rig);
    }
    const before = commentsOn(rig).length;
    expect(toldTo(rig)[0]).toContain("This is attempt 3 at the same failure");
    await tell(rig, put(rig, headOf(rig), { build: failing(4, "Error: expected 1, got 2 after 9 ms") }));
    await rig.pass(5 * MINUTE);
    expect(await attempts(rig)).toHaveLength(3);
    expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW" });
    const [told, ...more] = commentsOn(rig).slice(before);
    expect(told).toContain("@oncall");
    expect(told).toContain("The check build fails in the same way after 3 attempts to fix it");
    expect(more).toEqual([]);
    expect(await decisionsOn(rig)).toContain("checks_give_up");
  });

  it("wakes a coder that sleeps for its review", async () => {
    const rig = await atWork();
    await requestReview(rig);
    rig.repository.requiredChecks = ["build"];
    await rig.engine.handle(put(rig, headOf(rig), { build: failing(11) }));
    await awake(rig);
    const failure = "- Checks: The check build on the pull request ended with failure";
    await rig.until("it is told why", () => toldTo(rig).at(-1)?.includes(failure) === true);
    expect((await taskOf(rig))?.state).toBe("CLAIMED");
  });

  it("asks a person for a sleeping coder when three attempts at the same have not helped", async () => {
    const rig = await inReview();
    rig.repository.requiredChecks = ["build"];
    const { id: taskId } = (await taskOf(rig)) ?? { id: 0 };
    const fingerprint = failureFingerprint({ check: "build", step: "npm test", telling: TROUBLE });
    await rig.store.checks.attempt(
      ["a", "b", "c"].map((one) => ({ taskId, check: "build", at: 1, commit: one, fingerprint })),
    );
    await tell(rig, put(rig, headOf(rig), { build: failing(11, TROUBLE) }));
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "checks" });
    expect((await taskOf(rig))?.state).toBe("REJECTED");
    expect(rig.repository.issues.get(1)?.labels).toContain("needs-human");
  });

  it("leaves an agent that is at work alone: its next commit is checked again", async () => {
    const rig = await inReview();
    rig.repository.requiredChecks = ["build"];
    await rig.engine.handle(said(rig, 1, "@flotilla one more thing"));
    await awake(rig);
    await rig.engine.handle(put(rig, headOf(rig), { build: failing(11) }));
    await rig.until("it is looked at", async () => (await decisionsOn(rig)).includes("checks_at_work"));
    expect(await attempts(rig)).toEqual([]);
  });
});

describe("a red check that is not the commit's doing", () => {
  const RED = failing(11, "Error: cannot reach the registry");
  const KNOWN = failureFingerprint({
    check: "build",
    step: "npm test",
    telling: "Error: cannot reach the registry",
  });

  it("waits while the base branch fails in the same way, says so, and is run again when that is fixed", async () => {
    const rig = await underReview();
    put(rig, "main", { build: failing(12, "Error: cannot reach the registry") });
    await tell(rig, put(rig, headOf(rig), { build: RED }));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(statusComments(rig)[0]).toContain("waits for the base branch, build fails on");
    put(rig, "main", { build: GREEN });
    await rig.pass(5 * MINUTE);
    expect(rig.github.writes.filter((write) => write.startsWith("rerunJob"))).toEqual(["rerunJob 11"]);
    expect(await attempts(rig)).toEqual([]);
  });

  it("is not run again while everything is paused, and is once that is over", async () => {
    const rig = await underReview();
    const reruns = () => rig.github.writes.filter((write) => write.startsWith("rerunJob"));
    await tell(rig, put(rig, headOf(rig), { build: GREEN }));
    await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: null });
    rig.clock.advance(MINUTE);
    await tell(rig, put(rig, headOf(rig), { build: RED }));
    await rig.pass(5 * MINUTE);
    expect(reruns()).toEqual([]);
    await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
    await rig.pass(5 * MINUTE);
    expect(reruns()).toEqual(["rerunJob 11"]);
  });

  it("is not run again once everything is paused while its checks are read", async () => {
    const rig = await underReview();
    await tell(rig, put(rig, headOf(rig), { build: GREEN }));
    rig.clock.advance(MINUTE);
    const checks = methodOf(rig.github, "checks");
    rig.github.checks = async (repository, ref) => {
      const rerun = await rig.store.effects.find({ kind: "rerun_check", state: "leased" });
      if (rerun.length > 0)
        await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: null });
      return checks(repository, ref);
    };
    await tell(rig, put(rig, headOf(rig), { build: RED }));
    await rig.pass(5 * MINUTE);
    expect(await rig.store.scopePauses.over(7)).toHaveLength(1);
    expect(rig.github.writes.filter((write) => write.startsWith("rerunJob"))).toEqual([]);
  });

  it("is the commit's own when the base branch fails in another way", async () => {
    const rig = await underReview({ script: [fixes(2)] });
    put(rig, "main", { build: failing(12, "Error: another test") });
    await tell(rig, put(rig, headOf(rig), { build: RED }));
    expect(await attempts(rig)).toHaveLength(1);
  });

  it("was green on the same commit: it is run again once, and counts when that fails too", async () => {
    const rig = await underReview({ script: [fixes(2)] });
    await tell(rig, put(rig, headOf(rig), { build: GREEN }));
    rig.clock.advance(MINUTE);
    await tell(rig, put(rig, headOf(rig), { build: RED }));
    await rig.pass(5 * MINUTE);
    expect(rig.github.writes.filter((write) => write.startsWith("rerunJob"))).toEqual(["rerunJob 11"]);
    expect(await attempts(rig)).toEqual([]);
    expect(await decisionsOn(rig)).toContain("checks_rerun");
    await tell(rig, put(rig, headOf(rig), { build: failing(13, "Error: cannot reach the registry") }));
    expect(await attempts(rig)).toHaveLength(1);
  });

  it("that went away on another commit without a change is known again by what it says", async () => {
    const rig = await underReview();
    await rig.store.checks.see([{ ...seen("1", "red"), fingerprint: KNOWN }, seen("2", "green")]);
    await tell(rig, put(rig, headOf(rig), { build: RED }));
    expect(await decisionsOn(rig)).toContain("checks_rerun");
    expect(await attempts(rig)).toEqual([]);
  });

  it("that GitHub does not run again for us is left to a person, not to the agent", async () => {
    const rig = await underReview();
    await tell(rig, put(rig, headOf(rig), { build: GREEN }));
    rig.clock.advance(MINUTE);
    const red = put(rig, headOf(rig), { build: RED });
    rig.repository.failedJobs.delete(11);
    await tell(rig, red);
    await rig.pass(5 * MINUTE);
    expect(await decisionsOn(rig)).toContain("checks_by_hand");
    expect(statusComments(rig)[0]).toContain("run build again");
    expect(await attempts(rig)).toEqual([]);
  });

  it("waits for a person where GitHub holds the workflow, and says which button", async () => {
    const rig = await underReview();
    rig.repository.awaitingApproval.add(headOf(rig));
    await tell(rig, put(rig, headOf(rig), {}));
    expect(statusComments(rig)[0]).toContain("press “Approve and run” on the pull request's page");
    expect(await attempts(rig)).toEqual([]);
  });

  it("never appears: after a quarter of an hour that is said, once", async () => {
    const rig = await underReview();
    await rig.pass(5 * MINUTE);
    expect(await decisionsOn(rig)).not.toContain("no_checks");
    for (const _ of [1, 2, 3]) await rig.pass(5 * MINUTE);
    const rules = await decisionsOn(rig);
    expect(rules.filter((rule) => rule === "no_checks")).toHaveLength(1);
    expect(statusComments(rig)[0]).toContain("nothing reports build for");
  });
});

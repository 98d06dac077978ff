import { describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, historyOf, runOf, stateOf, taskOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { checked, labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { after, commit, complete, edit, escalate, on, work } from "../scripts.ts";

describe("required checks", () => {
  const CHECKS = { settings: { evidence: { ...someSettings().evidence, requiredChecks: ["build"] } } };
  const asleep = { state: "SLEEPING", sleepReason: "checks" };

  it("that run let it sleep without a process or slot, and complete it where it sleeps when they are green", async () => {
    const rig = await aRig({ ...CHECKS, script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject(asleep);
    expect((await runOf(rig))?.state).toBe("evaluating");
    expect((await taskOf(rig))?.state).toBe("CLAIMED");
    expect(rig.runtime.running.size).toBe(0);
    expect(await rig.store.records.slotsInUse()).toBe(0);
    await tell(rig, checked(rig, { build: "pending" }));
    expect(await agentOf(rig)).toMatchObject(asleep);
    await tell(rig, checked(rig, { build: "green" }));
    expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "COMPLETED"]);
    expect((await runOf(rig))?.state).toBe("succeeded");
    expect(await taskOf(rig)).toMatchObject({
      state: "READY_FOR_REVIEW",
      reviewCommit: rig.worktrees.serverHead("flotilla/feat-dev/issue-1"),
    });
    expect(toldTo(rig)).toHaveLength(1);
  });

  it("that turn red wake it with what failed, and the next claim is judged again", async () => {
    const script = [on(1, ...work, after("this is missing", edit("fix.ts")), commit, complete)];
    const rig = await aRig({ ...CHECKS, script });
    await tell(rig, labeled(rig, 1));
    await tell(rig, checked(rig, { build: "red" }));
    expect(toldTo(rig)[1]).toContain("The check build on the pull request ended with failure");
    expect(await agentOf(rig)).toMatchObject({ ...asleep, wakes: 1 });
    expect((await runOf(rig))?.bounces).toBe(1);
    await tell(rig, checked(rig, { build: "green" }));
    expect(await stateOf(rig)).toBe("COMPLETED");
  });

  it("are looked at each reconcile_every, so that a webhook which never came is made up for", async () => {
    const rig = await aRig({ ...CHECKS, script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    checked(rig, { build: "green" });
    await rig.pass(5 * MINUTE);
    expect(await stateOf(rig)).toBe("COMPLETED");
  });

  it("are asked for once in each reconcile_every, however often the engine looks", async () => {
    const rig = await aRig({ ...CHECKS, script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    await rig.pass(5 * MINUTE);
    let asked = 0;
    rig.onCall = (name) => void (asked += name === "github.checks" ? 1 : 0);
    for (let second = 0; second < 60; second += 1) await rig.pass(1000);
    expect(asked).toBe(0);
    await rig.pass(5 * MINUTE);
    expect(asked).toBe(1);
  });

  it("that end while it falls asleep are not missed", async () => {
    const rig = await aRig({ ...CHECKS, script: [on(1, ...work)] });
    const checks = methodOf(rig.github, "checks");
    rig.github.checks = async (...args) => {
      const seen = await checks(...args);
      // Their webhook finds nobody asleep.
      await rig.engine.handle(checked(rig, { build: "green" }));
      return seen;
    };
    await tell(rig, labeled(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
  });

  it("let it continue for a person's message, and the claim is made again", async () => {
    const script = [
      on(1, ...work, after("This happened in the meantime|Message", edit("more.ts")), commit, complete),
    ];
    const rig = await aRig({ ...CHECKS, script });
    await tell(rig, labeled(rig, 1));
    await tell(rig, said(rig, 1, "@flotilla add a line"));
    expect(toldTo(rig)[1]).toContain("add a line");
    expect(await agentOf(rig)).toMatchObject(asleep);
    await tell(rig, checked(rig, { build: "green" }));
    expect(await stateOf(rig)).toBe("COMPLETED");
  });

  it("wake it when the claim does not hold any more although they are green", async () => {
    const rig = await aRig({ ...CHECKS, script: [on(1, ...work, after("this is missing", escalate))] });
    await tell(rig, labeled(rig, 1));
    const green = checked(rig, { build: "green" });
    rig.worktrees.serverCommit("flotilla/feat-dev/issue-1", { "theirs.ts": "x" });
    await tell(rig, green);
    // What somebody else pushed is taken up as it wakes.
    expect(toldTo(rig)[1]).toContain("Look at it and claim again");
    expect(await stateOf(rig)).toBe("ESCALATED");
  });

  it("that never come ask a person after max_sleep_duration, by name, and it continues when they come after all", async () => {
    const rig = await aRig({ ...CHECKS, script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    await rig.pass(24 * HOUR);
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "expired" });
    expect(commentsOn(rig).join()).toContain("waiting for checks: build");
    await tell(rig, checked(rig, { build: "green" }));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(toldTo(rig)).toHaveLength(1);
  });

  it("do not end it when a message woke it while they were looked at", async () => {
    const script = [
      on(1, ...work, after("This happened in the meantime|Message", edit("more.ts")), commit, complete),
    ];
    const rig = await aRig({ ...CHECKS, script });
    await tell(rig, labeled(rig, 1));
    const checks = methodOf(rig.github, "checks");
    let woken = false;
    rig.github.checks = async (...args) => {
      const seen = await checks(...args);
      if (!woken) {
        woken = true;
        await rig.engine.handle(said(rig, 1, "@flotilla add a line"));
        await rig.until("it is awake", async () => (await stateOf(rig)) === "ACTIVE");
      }
      return seen;
    };
    await tell(rig, checked(rig, { build: "green" }));
    expect(toldTo(rig)[1]).toContain("add a line");
    expect(await agentOf(rig)).toMatchObject(asleep);
  });

  it("that run again after it was woken let it sleep on, and wake it again when they fail again", async () => {
    const rig = await aRig({ ...CHECKS, script: [on(1, ...work, after("this is missing", escalate))] });
    await tell(rig, labeled(rig, 1));
    const checks = methodOf(rig.github, "checks");
    // Red when it is woken for it, running again when it is judged.
    let looks = 0;
    rig.github.checks = async (...args) => {
      looks += 1;
      const seen = await checks(...args);
      return looks === 1 ? seen : seen.map((check) => ({ ...check, state: "pending" as const }));
    };
    await tell(rig, checked(rig, { build: "red" }));
    expect(await agentOf(rig)).toMatchObject({ ...asleep, wakes: 1 });
    rig.github.checks = checks;
    await tell(rig, checked(rig, { build: "red" }));
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", wakes: 2 });
  });
});

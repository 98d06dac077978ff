import { expect, it } from "vitest";
import { GitError, GitHubError, StaleSnapshot } from "../../../src/domain/kernel/errors.ts";
import { AT, HOUR, MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { commentsOn, decisionsOn, sessionsOf, stateOf, statusComments } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, edit, escalate, on, slowly, work } from "../scripts.ts";

const badGateway = () =>
  new GitHubError("unavailable", "502 Bad Gateway", 502, { consequence: "retry", uncertain: true });
const only = async (rig: Rig, kind: "post_comment" | "open_session" | "close_session") =>
  (await rig.store.effects.find({ kind })).at(-1);

it("tries a comment whose answer was lost again, later each time, and it is there once", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  const putComment = methodOf(rig.github, "putComment");
  rig.github.putComment = async (ref, number, comment) => {
    const put = await putComment(ref, number, comment);
    if (comment.key !== "status") throw badGateway();
    return put;
  };
  await tell(rig, labeled(rig, 1));
  const at = rig.clock.now();
  expect(await only(rig, "post_comment")).toMatchObject({
    state: "pending",
    uncertain: true,
    attempts: 1,
    notBefore: at + 5000,
  });
  await rig.pass(4999);
  expect((await only(rig, "post_comment"))?.attempts).toBe(1);
  await rig.pass(1);
  expect(await only(rig, "post_comment")).toMatchObject({ attempts: 2, notBefore: at + 5000 + 10_000 });
  rig.github.putComment = putComment;
  await rig.pass(10_000);
  expect(await only(rig, "post_comment")).toMatchObject({ state: "done", attempts: 2 });
  expect(commentsOn(rig)).toHaveLength(1);
});

it("gives up after ten tries, with a decision, and continues with the lane", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  const putComment = methodOf(rig.github, "putComment");
  rig.github.putComment = async (ref, number, comment) => {
    if (comment.key !== "status")
      throw new GitHubError("conflict", "409 Conflict", 409, { consequence: "retry" });
    return putComment(ref, number, comment);
  };
  await tell(rig, labeled(rig, 1));
  for (let tried = 0; tried < 8; tried += 1) await rig.pass(10 * MINUTE);
  expect((await only(rig, "post_comment"))?.state).toBe("pending");
  await rig.pass(10 * MINUTE);
  expect(await only(rig, "post_comment")).toMatchObject({ state: "failed", error: "409 Conflict" });
  expect(await decisionsOn(rig)).toEqual(["effect_failed"]);
  expect(statusComments(rig)[0]).toContain("**ESCALATED**");
});

it("waits for a rate limit until GitHub says, and counts no try", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  await rig.engine.handle(said(rig, 1, "nothing for us"));
  const retryAt = rig.clock.now() + HOUR;
  const limited = new GitHubError("rate_limited", "429", 429, { consequence: "park", retryAt });
  const addLabels = methodOf(rig.github, "addLabels");
  rig.github.addLabels = (...args) => {
    if (!args[2].includes("needs-human")) return addLabels(...args);
    rig.github.addLabels = addLabels;
    return Promise.reject(limited);
  };
  await tell(rig, labeled(rig, 1));
  const [row] = await rig.store.effects.find({ kind: "add_labels" });
  expect(row).toMatchObject({ state: "pending", attempts: 0, notBefore: retryAt, uncertain: false });
  await rig.pass(HOUR - 1);
  expect(rig.repository.issues.get(1)?.labels).not.toContain("needs-human");
  await rig.pass(1);
  expect(rig.repository.issues.get(1)?.labels).toContain("needs-human");
});

it("does what people see of one issue one at a time and in order, in parallel with other issues", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  const held = Promise.withResolvers<void>();
  const addLabels = methodOf(rig.github, "addLabels");
  rig.github.addLabels = async (...args) => {
    await held.promise;
    return addLabels(...args);
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is escalated", async () => (await stateOf(rig)) === "ESCALATED");
  await rig.engine.handle(said(rig, 2, "/flotilla nonsense"));
  await rig.until("the other issue is answered", () => commentsOn(rig, 2).length === 1);
  expect(commentsOn(rig)).toEqual([]);
  held.resolve();
  await rig.idle();
  expect(commentsOn(rig)).toHaveLength(1);
});

it("skips an effect of a period that is over", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  rig.worktrees.prepare = async () => {
    throw new StaleSnapshot("agent", 1);
  };
  await tell(rig, labeled(rig, 1));
  expect(await only(rig, "open_session")).toMatchObject({ state: "pending", token: 1, attempts: 1 });
  await tell(rig, said(rig, 1, "/flotilla pause"));
  await rig.pass(MINUTE);
  expect(await only(rig, "open_session")).toMatchObject({ state: "skipped" });
  expect(rig.runtime.opened).toEqual([]);
});

it("fails an agent that cannot be started, with the advice", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  rig.worktrees.prepare = async () => {
    const advice = "Give the branch another name.";
    throw new GitError("bad_name", "refused the branch", { consequence: "stop", advice });
  };
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("FAILED");
  expect(commentsOn(rig).join()).toContain("refused the branch");
  const [decision] = await rig.store.decisions.ofIssue(7, 1, 5);
  expect(decision).toMatchObject({ rule: "effect_failed", change: "Give the branch another name." });
  expect(await rig.store.records.slotsInUse()).toBe(0);
});

it("tries a start that another write got ahead of five times before the agent has failed", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  let tried = 0;
  rig.worktrees.prepare = async () => {
    tried += 1;
    throw new StaleSnapshot("agent", 1);
  };
  await tell(rig, labeled(rig, 1));
  for (let round = 0; round < 4; round += 1) await rig.pass(MINUTE);
  expect(tried).toBe(5);
  expect(await stateOf(rig)).toBe("FAILED");
});

it("fails an agent whose role is no more", async () => {
  // As after a restart with another configuration.
  const roles = new Map(someSettings().roles);
  const rig = await aRig({ settings: { roles }, script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  roles.delete("feat-dev");
  await tell(rig, closed(rig, 2));
  expect(await stateOf(rig)).toBe("FAILED");
  expect(commentsOn(rig).join()).toContain("no role feat-dev any more");
});

it("holds an effect to its time limit, and does not know then whether it was done", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  const addLabels = methodOf(rig.github, "addLabels");
  let hangs = false;
  rig.github.addLabels = (...args) => {
    if (!args[2].includes("needs-human")) return addLabels(...args);
    hangs = true;
    return new Promise(() => {});
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is escalated", async () => (await stateOf(rig)) === "ESCALATED");
  await rig.until("it hangs", () => hangs);
  rig.github.addLabels = addLabels;
  rig.clock.advance(MINUTE);
  await rig.idle();
  const [row] = await rig.store.effects.find({ kind: "add_labels" });
  expect(row).toMatchObject({ state: "pending", uncertain: true });
  await rig.pass(5000);
  expect(rig.repository.issues.get(1)?.labels).toContain("needs-human");
});

it("frees the slot and wakes later although the work could not be saved at the sleep", async () => {
  const rig = await aRig({
    script: [on(1, edit(), blocked(2), after("which blocked you", edit()), ...work.slice(1))],
  });
  const checkpoint = methodOf(rig.worktrees, "checkpoint");
  rig.worktrees.checkpoint = async (ref, how) => {
    // While the agent is at work, only the tree that was examined is saved.
    if (how?.tree !== undefined) return checkpoint(ref, how);
    rig.worktrees.checkpoint = checkpoint;
    throw new GitError("disk_full", "no space left on device", { consequence: "tell" });
  };
  await tell(rig, labeled(rig, 1));
  expect(await only(rig, "close_session")).toMatchObject({ state: "failed" });
  expect(await sessionsOf(rig)).toMatchObject([{ state: "idle" }]);
  expect(await rig.store.records.slotsInUse()).toBe(0);
  await tell(rig, closed(rig, 2));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("waits for an effect that ends while the waiting begins", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  const get = methodOf(rig.store.effects, "get");
  let held: Promise<void> | undefined;
  Object.assign(rig.store.effects, {
    get: async (id: number) => {
      const row = await get(id);
      // The answer is on its way while the effect ends.
      held ??= rig.until("it has ended", async () => (await get(id))?.state === "done");
      await held;
      return row;
    },
  });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is complete", async () => (await stateOf(rig)) === "COMPLETED");
  expect(rig.clock.now()).toBe(AT);
});

it("keeps a slow start from being taken for a lost one", async () => {
  const rig = await aRig({ script: [on(1, slowly(1, edit()), ...work.slice(1))] });
  const prepare = methodOf(rig.worktrees, "prepare");
  const cloned = Promise.withResolvers<void>();
  rig.worktrees.prepare = async (...args) => {
    await cloned.promise;
    return prepare(...args);
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.tick();
  await rig.work(12 * MINUTE);
  expect(await stateOf(rig)).toBe("ACTIVE");
  cloned.resolve();
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  rig.clock.advance(1);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

import { describe, expect, test } from "vitest";
import { AGENT_STATES } from "../../../src/domain/agents/agent-record.ts";
import { RUN_STATES } from "../../../src/domain/agents/run.ts";
import { SESSION_STATES } from "../../../src/domain/agents/session.ts";
import { StaleSnapshot } from "../../../src/domain/kernel/errors.ts";
import { blankGoal, goalMachine } from "../../../src/domain/planning/goal.ts";
import { blankSprint, sprintMachine } from "../../../src/domain/planning/sprint.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { blankReviewLease, reviewLeaseMachine } from "../../../src/domain/review/review-lease.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import {
  agent,
  effect,
  insertAgent,
  repository,
  run,
  session,
  task,
  waited,
} from "../../adapters/store/samples.ts";
import { OURS } from "../../factories/leases.ts";
import { fresh } from "./fresh.ts";

export function recordContract(open: () => Promise<Store>): void {
  describe("records", () => {
    const store = fresh(open);

    test("come back as they were put in, with an id and version 1", async () => {
      const record = agent({
        coder: true,
        heldBy: ["person", "sprint"],
        blockedBy: [41, 40],
        labels: ["a"],
        sleepReason: "blocked",
        dueAt: 1_766_361_600_000,
        costMicroUsd: 125_000,
      });
      const inserted = await store().records.insert("agent", record);
      expect(inserted).toEqual({ ...record, id: inserted.id, version: 1 });
      expect(inserted.id).toBeGreaterThan(0);
      expect(await store().records.get("agent", inserted.id)).toEqual(inserted);
      expect(await store().records.get("agent", inserted.id + 1)).toBeUndefined();
    });

    test("of long sleepers come in pages, the longest sleep first, without those that have no limit", async () => {
      const { records } = store();
      const asleep = { state: "SLEEPING", sleepReason: "blocked", sleepingSince: 20 } as const;
      const [first, second, third, longest] = [
        await insertAgent(store(), { ...asleep, issue: 1 }),
        await insertAgent(store(), { ...asleep, issue: 2, sleepReason: "checks" }),
        await insertAgent(store(), { ...asleep, issue: 3 }),
        await insertAgent(store(), { ...asleep, issue: 4, sleepingSince: 10 }),
      ];
      await insertAgent(store(), { ...asleep, issue: 5, sleepReason: "review" });
      await insertAgent(store(), { ...asleep, issue: 6, sleepReason: "question" });
      await insertAgent(store(), { ...asleep, issue: 7, heldBy: ["person"] });
      await insertAgent(store(), { ...asleep, issue: 8, sleepingSince: 30 });
      await insertAgent(store(), { ...asleep, issue: 9, state: "ESCALATED" });
      const all = await records.longAsleep("may_expire", 30, null, 10);
      expect(all).toEqual([longest, first, second, third].map(waited));
      expect(await records.longAsleep("may_expire", 30, null, 2)).toEqual([longest, first].map(waited));
      expect(await records.longAsleep("may_expire", 30, first, 2)).toEqual([second, third].map(waited));
      expect(await records.longAsleep("may_expire", 30, third, 2)).toEqual([]);
    });

    test("of people's concern are found with the longest wait first, until they were reminded twice", async () => {
      const { records } = store();
      const asleep = { state: "SLEEPING", sleepingSince: 20 } as const;
      const review = await insertAgent(store(), { ...asleep, issue: 1, sleepReason: "review" });
      const escalated = await insertAgent(store(), { issue: 2, state: "ESCALATED", sleepingSince: 10 });
      await insertAgent(store(), { ...asleep, issue: 3, sleepReason: "blocked" });
      await insertAgent(store(), { ...asleep, issue: 4, sleepReason: "paused", reminders: 2 });
      const found = await records.longAsleep("may_be_reminded", 30, null, 10);
      expect(found).toEqual([escalated, review].map(waited));
      expect(await records.longAsleep("may_be_reminded", 20, null, 10)).toEqual([waited(escalated)]);
      expect(await records.longAsleep("may_be_reminded", 30, escalated, 10)).toEqual([waited(review)]);
    });

    test("are outlived when their time to live is over, until they end", async () => {
      const { records } = store();
      const over = await insertAgent(store(), { issue: 1, state: "SLEEPING", createdAt: 10, ttlMs: 20 });
      await insertAgent(store(), { issue: 2, state: "COMPLETED", createdAt: 10, ttlMs: 20 });
      await insertAgent(store(), { issue: 3, state: "SLEEPING", createdAt: 10, ttlMs: null });
      expect(await records.outlived(29)).toEqual([]);
      expect(await records.outlived(30)).toEqual([over.id]);
      expect(await records.ids("agent", { state: "SLEEPING" })).toEqual([over.id, over.id + 2]);
    });

    test("that wait keep the lease of their task, at most so many at once, the oldest first", async () => {
      const { records } = store();
      const leases = async () => (await records.find("task", {})).map(({ leaseUntil }) => leaseUntil);
      for (const [issue, state] of (["SLEEPING", "ACTIVE", "ESCALATED", "CREATED"] as const).entries()) {
        const { id } = await insertAgent(store(), { issue, state });
        await records.insert(
          "task",
          task({ issue, state: "CLAIMED", assigneeId: id, worktree: "w", leaseUntil: 40 - issue }),
        );
      }
      expect(await records.renewWaiting({ below: 40, until: 99, limit: 1 })).toBe(1);
      expect(await leases()).toEqual([40, 39, 38, 99]);
      expect(await records.renewWaiting({ below: 41, until: 99, limit: 9 })).toBe(2);
      expect(await leases()).toEqual([99, 39, 99, 99]);
    });

    test("can be in every state that their machine has", async () => {
      const { records } = store();
      const { id: agentId } = await insertAgent(store());
      for (const [issue, state] of AGENT_STATES.entries())
        expect((await records.insert("agent", agent({ issue, state }))).state).toBe(state);
      for (const state of RUN_STATES)
        expect((await records.insert("run", run({ agentId, state }))).state).toBe(state);
      for (const state of SESSION_STATES)
        expect((await records.insert("session", session({ agentId, state }))).state).toBe(state);
      for (const [issue, state] of TASK_STATES.entries())
        expect((await records.insert("task", task({ issue, state }))).state).toBe(state);
      for (const [index, state] of reviewLeaseMachine.states.entries()) {
        const { id: taskId } = await records.insert("task", task({ issue: 100 + index }));
        const lease = { ...blankReviewLease, state, taskId, holderId: agentId, leaseUntil: 5 };
        expect((await records.insert("review_lease", lease)).state).toBe(state);
      }
      const ours = { repositoryId: repository.id };
      for (const state of goalMachine.states)
        expect((await records.insert("goal", { ...blankGoal, ...ours, state })).state).toBe(state);
      for (const state of sprintMachine.states)
        expect((await records.insert("sprint", { ...blankSprint, ...ours, state })).state).toBe(state);
    });

    test("are found by equality, by any of several values, and by null, in order of id", async () => {
      const { records } = store();
      const first = await insertAgent(store(), {
        issue: 1,
        state: "SLEEPING",
        sleepReason: "blocked",
        coder: true,
      });
      const second = await insertAgent(store(), { issue: 2 });
      const third = await insertAgent(store(), { issue: 3, state: "ACTIVE" });
      const ids = async (where: Parameters<typeof records.find<"agent">>[1]) =>
        (await records.find("agent", where)).map(({ id }) => id);
      expect(await ids({})).toEqual([first.id, second.id, third.id]);
      expect(await ids({ state: ["ACTIVE", "SLEEPING"] })).toEqual([first.id, third.id]);
      expect(await ids({ sleepReason: null, issue: 2 })).toEqual([second.id]);
      expect(await ids({ sleepReason: [null, "blocked"] })).toEqual([first.id, second.id, third.id]);
      expect(await ids({ coder: true })).toEqual([first.id]);
      expect(await ids({ state: [] })).toEqual([]);
    });

    test("are found below or above a number, where those without one are neither", async () => {
      const { records } = store();
      const [early, late] = [
        await insertAgent(store(), { dueAt: 10 }),
        await insertAgent(store(), { issue: 2, dueAt: 20 }),
      ];
      await insertAgent(store(), { issue: 3, dueAt: null });
      const ids = async (dueAt: { below: number } | { above: number }) =>
        (await records.find("agent", { dueAt })).map(({ id }) => id);
      expect(await ids({ below: 20 })).toEqual([early.id]);
      expect(await ids({ below: 21 })).toEqual([early.id, late.id]);
      expect(await ids({ above: 10 })).toEqual([late.id]);
    });

    test("tell their issues, each once", async () => {
      const { records } = store();
      for (const state of ["FAILED", "SLEEPING"] as const)
        await insertAgent(store(), { issue: 2, name: state, state });
      await insertAgent(store(), { issue: 1 });
      const [{ repositoryId } = { repositoryId: 0 }] = await records.find("agent", {});
      expect(await records.issues("agent", {})).toEqual([
        { repositoryId, issue: 1 },
        { repositoryId, issue: 2 },
      ]);
      expect(await records.issues("agent", { state: "SLEEPING" })).toEqual([{ repositoryId, issue: 2 }]);
    });

    test("are not searched by a list, which equality of texts would get wrong", async () => {
      await expect(store().records.find("agent", { blockedBy: [41] })).rejects.toThrow("agent.blockedBy");
    });

    test("are saved with the next version", async () => {
      const before = await insertAgent(store());
      const saved = await store().records.save("agent", before, {
        ...before,
        state: "ACTIVE",
        labels: ["x"],
      });
      expect(saved).toEqual({ ...before, state: "ACTIVE", labels: ["x"], version: 2 });
      expect(await store().records.get("agent", before.id)).toEqual(saved);
    });

    test("are not saved over a change that somebody else made", async () => {
      const before = await insertAgent(store());
      await store().records.save("agent", before, { ...before, state: "ACTIVE" });
      const late = store().records.save("agent", before, { ...before, state: "CANCELLED" });
      await expect(late).rejects.toThrow(StaleSnapshot);
      expect((await store().records.get("agent", before.id))?.state).toBe("ACTIVE");
    });

    test("keep a field that the save did not change, though it was renewed meanwhile", async () => {
      const before = await insertAgent(store(), { state: "ACTIVE", token: 4, leaseUntil: 10 });
      expect(await store().records.renewLease(before.id, 4, 50, 5000)).toBe(true);
      const saved = await store().records.save("agent", before, { ...before, branch: "flotilla/x" });
      expect(saved).toMatchObject({ branch: "flotilla/x", leaseUntil: 5000, lastActivityAt: 50 });
    });

    test("keep their counters through a save that saw older ones", async () => {
      const before = await insertAgent(store());
      expect(await store().records.count(before.id, "turns", 2)).toBe(2);
      expect(await store().records.count(before.id, "turns", 1)).toBe(3);
      expect(await store().records.count(before.id, "costMicroUsd", 250_000)).toBe(250_000);
      const saved = await store().records.save("agent", before, { ...before, state: "ACTIVE", turns: 1 });
      expect(saved).toMatchObject({ turns: 3, costMicroUsd: 250_000, version: 2 });
    });

    test("are not touched with an older token, nor once the agent rests", async () => {
      const before = await insertAgent(store(), { state: "ACTIVE", token: 4, leaseUntil: 10 });
      expect(await store().records.renewLease(before.id, 3, 50, 5000)).toBe(false);
      const asleep = await store().records.save("agent", before, {
        ...before,
        state: "SLEEPING",
        leaseUntil: null,
      });
      expect(await store().records.renewLease(before.id, 4, 50, 5000)).toBe(false);
      expect(await store().records.get("agent", before.id)).toEqual(asleep);
    });

    test("of one role on one issue are never live twice", async () => {
      const first = await insertAgent(store());
      const second = agent({ name: "feat-dev-issue-42.2", attempt: 2 });
      await expect(store().records.insert("agent", second)).rejects.toThrow(StaleSnapshot);
      await store().records.save("agent", first, { ...first, state: "CANCELLED" });
      expect((await store().records.insert("agent", second)).attempt).toBe(2);
    });

    test("of two coders on one issue are never live together", async () => {
      await insertAgent(store(), { coder: true });
      const rival = agent({ role: "bug-fix", coder: true });
      await expect(store().records.insert("agent", rival)).rejects.toThrow(StaleSnapshot);
      expect((await insertAgent(store(), { role: "reviewer" })).role).toBe("reviewer");
    });

    test("of one name exist once in a repository", async () => {
      await insertAgent(store(), { state: "FAILED" });
      await expect(insertAgent(store())).rejects.toThrow(StaleSnapshot);
    });

    test("of an issue's tasks are never open twice", async () => {
      const first = await store().records.insert("task", task());
      await expect(store().records.insert("task", task())).rejects.toThrow(StaleSnapshot);
      await store().records.save("task", first, { ...first, state: "MERGED" });
      expect((await store().records.insert("task", task())).state).toBe("UNCLAIMED");
    });

    test("belong to something that exists", async () => {
      await expect(store().records.insert("run", run({ agentId: 99 }))).rejects.toThrow(/foreign key/i);
    });

    test("use a slot while active, and until their stop is settled", async () => {
      const active = await insertAgent(store(), { issue: 1, state: "ACTIVE" });
      const asleep = await insertAgent(store(), { issue: 2, state: "SLEEPING" });
      await insertAgent(store(), { issue: 3, state: "CREATED" });
      const stop = { kind: "close_session", checkpoint: true, destroy: false } as const;
      const close = (agentId: number) =>
        effect({ key: `close-${agentId}`, lane: `agent:${agentId}`, agentId, payload: stop });
      await store().effects.add([close(active.id), close(asleep.id)]);
      expect(await store().records.slotsInUse()).toBe(2);
      const leased = await store().effects.lease({ ...OURS, now: 1, leaseMs: () => 10, limit: 10 });
      expect(await store().records.slotsInUse()).toBe(2);
      for (const { id } of leased)
        await store().effects.settle(id, OURS.token, { state: "done", result: null, error: null, at: 2 });
      expect(await store().records.slotsInUse()).toBe(1);
    });

    test("wait in CREATED by repository, the first agent's first", async () => {
      await store().repositories.put({ ...repository, id: 9, name: "other" });
      const place = (repositoryId: number, issue: number, state: "CREATED" | "ACTIVE") =>
        insertAgent(store(), { repositoryId, issue, state });
      const first = await place(9, 1, "CREATED");
      const other = await place(7, 2, "CREATED");
      const last = await place(9, 3, "CREATED");
      await place(9, 4, "ACTIVE");
      const waiting = await store().records.created();
      expect([...waiting]).toEqual([
        [9, [first.id, last.id]],
        [7, [other.id]],
      ]);
    });

    test("are counted by machine", async () => {
      await insertAgent(store(), { issue: 1, state: "ACTIVE", node: "one" });
      await insertAgent(store(), { issue: 2, state: "ACTIVE", node: "other" });
      await insertAgent(store(), { issue: 3, state: "CREATED", node: "one" });
      expect(await store().records.slotsInUse()).toBe(2);
      expect(await store().records.slotsInUse("one")).toBe(1);
      expect(await store().records.slotsByNode()).toEqual(
        new Map([
          ["one", 1],
          ["other", 1],
        ]),
      );
    });
  });
}

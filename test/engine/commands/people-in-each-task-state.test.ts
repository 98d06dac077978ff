import { describe, expect, it } from "vitest";
import type { DomainEvent } from "../../../src/domain/events/domain-event.ts";
import type { TaskState } from "../../../src/domain/tasks/task-record.ts";
import { MINUTE } from "../../factories/moment.ts";
import { taskOf } from "../look.ts";
import { merging } from "../merge-queue-rig.ts";
import { closed, labeled, pullClosed, reviewed, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { commit, complete, edit, on, onAttempt, openPr, review, type Step, work } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const WRITES: readonly Step[] = [edit("list.txt", "one\n"), commit, openPr];

const stops = (rig: Rig) =>
  rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: "let me look" });

/** Up for review: its coder sleeps for it, or is done. Nobody wakes or starts from then on. */
async function upForReview(coder: "sleeps" | "is done", options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ ...options, script: [on(1, ...WRITES, coder === "sleeps" ? review : complete)] });
  await tell(rig, labeled(rig, 1));
  if (coder === "sleeps") await tell(rig, said(rig, 1, "/flotilla pause"));
  else await stops(rig);
  return rig;
}

async function judged(coder: "sleeps" | "is done", says: "approved" | "changes_requested"): Promise<Rig> {
  const rig = await upForReview(coder);
  await tell(rig, reviewed(rig, pullOf(rig), says));
  return rig;
}

/** The merge queue finds that it conflicts with its base; its coder is held, or may not begin again. */
async function integrationFailed(coder: "sleeps" | "is done" = "sleeps"): Promise<Rig> {
  const rig = await upForReview(coder, { settings: merging(), files: { "list.txt": "none\n" } });
  rig.worktrees.serverCommit("main", { "list.txt": "theirs\n" });
  await tell(rig, reviewed(rig, pullOf(rig), "approved"));
  for (let round = 0; round < 6; round += 1) await rig.pass(MINUTE);
  return rig;
}

/** How the engine comes to each state with the issue still open. */
const IN_STATE = {
  DRAFT: async () => {
    const rig = await aRig({ script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1, { label: "draft" }), labeled(rig, 1));
    return rig;
  },
  UNCLAIMED: async () => {
    const rig = await aRig({ script: [on(1, ...work)] });
    await stops(rig);
    await tell(rig, labeled(rig, 1));
    return rig;
  },
  READY_FOR_REVIEW: () => upForReview("is done"),
  REJECTED: () => judged("is done", "changes_requested"),
  APPROVED: () => judged("is done", "approved"),
  INTEGRATION_FAILED: () => integrationFailed("is done"),
  BLOCKED: async () => {
    const fails: Step = { error: { status: 400, message: "no such model" } };
    const rig = await aRig({ script: [onAttempt(1, 2, fails), on(1, fails)] });
    await tell(rig, labeled(rig, 1));
    await tell(rig, said(rig, 1, "/flotilla start"));
    return rig;
  },
} satisfies Partial<Record<TaskState, () => Promise<Rig>>>;
const STATES = [
  "DRAFT",
  "UNCLAIMED",
  "READY_FOR_REVIEW",
  "REJECTED",
  "APPROVED",
  "INTEGRATION_FAILED",
  "BLOCKED",
] as const;

/** Its moves of the task of issue 1 by this event, as `from → to`. */
async function taskMoves(rig: Rig, event: string): Promise<readonly string[]> {
  const moves = await rig.store.transitions.ofIssue(7, 1, 1000);
  return moves
    .filter((move) => move.machine === "task" && move.event === event)
    .map(({ from, to }) => `${from} → ${to}`);
}

const live = async (rig: Rig) =>
  (await rig.store.records.find("agent", { issue: 1, state: ["CREATED", "ACTIVE", "SLEEPING", "ESCALATED"] }))
    .length;

it.each(STATES)("a task in %s is merged when a person's merge closes the issue", async (state) => {
  const rig = await IN_STATE[state]();
  await tell(rig, closed(rig, 1, { merged: 9 }));
  expect(await taskMoves(rig, "OBSERVED_MERGED")).toEqual([`${state} → MERGED`]);
  expect(await live(rig)).toBe(0);
});

it.each(STATES)(
  "a task in %s that no live coder holds is abandoned when a person closes the issue",
  async (state) => {
    const rig = await IN_STATE[state]();
    await tell(rig, closed(rig, 1));
    expect(await taskMoves(rig, "OBSERVED_CLOSED")).toEqual([`${state} → ABANDONED`]);
    expect(await live(rig)).toBe(0);
  },
);

/** Its coder lives and holds it. */
const HELD = {
  READY_FOR_REVIEW: () => upForReview("sleeps"),
  REJECTED: () => judged("sleeps", "changes_requested"),
  APPROVED: () => judged("sleeps", "approved"),
  INTEGRATION_FAILED: () => integrationFailed(),
} satisfies Partial<Record<TaskState, () => Promise<Rig>>>;

const cancelled = (rig: Rig) => said(rig, 1, "/flotilla cancel");
const pullIsClosed = (rig: Rig) => pullClosed(rig, pullOf(rig), { merged: false });

describe.each(["READY_FOR_REVIEW", "REJECTED", "APPROVED"] as const)(
  "a task in %s that a coder holds",
  (state) => {
    it.each<readonly [string, (rig: Rig) => DomainEvent]>([
      ["the coder is cancelled", cancelled],
      ["its pull request is closed", pullIsClosed],
    ])("is free again when %s", async (_, act) => {
      const rig = await HELD[state]();
      await tell(rig, act(rig));
      expect(await taskMoves(rig, "RELEASE")).toEqual([`${state} → UNCLAIMED`]);
      expect(await live(rig)).toBe(0);
    });

    it("is abandoned when a person closes the issue, after its coder gave it back", async () => {
      const rig = await HELD[state]();
      await tell(rig, closed(rig, 1));
      expect(await taskMoves(rig, "RELEASE")).toEqual([`${state} → UNCLAIMED`]);
      expect(await taskMoves(rig, "OBSERVED_CLOSED")).toEqual(["UNCLAIMED → ABANDONED"]);
      expect((await taskOf(rig))?.state).toBe("ABANDONED");
    });
  },
);

describe("a task in INTEGRATION_FAILED that a coder holds", () => {
  it("waits for another coder when its own is cancelled, and is free again when the pull request is closed", async () => {
    const rig = await HELD.INTEGRATION_FAILED();
    await tell(rig, cancelled(rig));
    expect([await live(rig), (await taskOf(rig))?.state]).toEqual([0, "INTEGRATION_FAILED"]);
    await tell(rig, pullIsClosed(rig));
    expect(await taskMoves(rig, "RELEASE")).toEqual(["INTEGRATION_FAILED → UNCLAIMED"]);
  });

  it("is abandoned when a person closes the issue", async () => {
    const rig = await HELD.INTEGRATION_FAILED();
    await tell(rig, closed(rig, 1));
    expect(await taskMoves(rig, "OBSERVED_CLOSED")).toEqual(["INTEGRATION_FAILED → ABANDONED"]);
    expect(await live(rig)).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import { onConflict, type ReviewConflict, resolvesConflict } from "../../../src/domain/checks/conflict.ts";
import { aView } from "../../factories/a-view.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";

const COMMIT = "c".repeat(40);
const CONFLICT: ReviewConflict = {
  base: "main",
  pull: 12,
  commit: COMMIT,
  files: ["a.ts"],
  behind: null,
  at: AT,
};
const owner = anAgent({ id: 3, state: "COMPLETED" });
const given = (over: Partial<Parameters<typeof onConflict>[1]> = {}) => ({
  task: aTask({ id: 8, state: "READY_FOR_REVIEW" }),
  owner,
  view: aView(),
  ...over,
});

describe("work under review that conflicts with its base", () => {
  it("goes back with its reason and reopens its coder", () => {
    const { moves } = onConflict(CONFLICT, given());
    expect(moves).toMatchObject([
      { machine: "task", id: 8, event: { type: "CHECKS_FAIL", reason: "conflict with `main`: #12 in a.ts" } },
      { machine: "agent", event: { type: "REOPEN", previous: { id: 3 } } },
    ]);
  });

  it("wakes a coder that sleeps, once for each commit", () => {
    const asleep = anAgent({ id: 3, state: "SLEEPING", sleepReason: "review" });
    const { moves, wakes } = onConflict({ ...CONFLICT, pull: null }, given({ owner: asleep }));
    expect(moves).toHaveLength(1);
    expect(wakes).toMatchObject([
      {
        key: `conflict:task-8:${COMMIT}`,
        agentId: 3,
        reason: "base_moved",
        detail: expect.stringContaining("conflict with `main`: ccccccc in a.ts. Fix that"),
      },
    ]);
  });

  it("waits behind older work on the same files, naming ten files at most", () => {
    const files = Array.from({ length: 12 }, (_, index) => `${index}.ts`);
    const { moves, decisions } = onConflict({ ...CONFLICT, behind: 4, files }, given());
    expect(moves).toEqual([]);
    expect(decisions).toMatchObject([
      {
        rule: "conflict_waits",
        reason: expect.stringMatching(/9\.ts and 2 more; #4 changes the same files$/),
        change: "nothing: it is fixed when #4 is merged or closed",
      },
    ]);
  });

  it.each([
    ["without a conflict", { ...CONFLICT, files: [] }, {}],
    ["that is approved", CONFLICT, { task: aTask({ state: "APPROVED" }) }],
    ["whose coder is at work", CONFLICT, { owner: anAgent({ state: "ACTIVE" }) }],
  ])("is left alone %s", (_, conflict, over) => {
    expect(onConflict(conflict, given(over))).toMatchObject({ moves: [], decisions: [], wakes: [] });
  });

  it("says so where the coder's role is gone", () => {
    const gone = anAgent({ state: "COMPLETED", role: "gone" });
    expect(onConflict(CONFLICT, given({ owner: gone })).decisions).toMatchObject([{ rule: "no_role" }]);
  });

  it("is known by its reason while it is fixed", () => {
    expect(resolvesConflict(aTask({ rejectionReason: "conflict with `main`: #12 in a.ts" }))).toBe(true);
    expect(resolvesConflict(aTask({ rejectionReason: "reviewer rejects it" }))).toBe(false);
    expect(resolvesConflict(aTask({ rejectionReason: null }))).toBe(false);
  });
});

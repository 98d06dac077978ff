import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { insertAgent, run, session, task } from "../../adapters/store/samples.ts";
import { temporaryDirectory } from "../../adapters/store/temporary.ts";

const NOW = 1_000_000;
const GRACE_MS = 60_000;
const AGENT = { table: "agent", ids: [1] };
const TASK = { table: "task", ids: [1] };
const inState = (state: string, fields = "version = 1") => `UPDATE task SET state = '${state}', ${fields}`;

/** Its rules of what must hold, each broken by hand in a database that is sound without it. */
const INVARIANTS: readonly {
  readonly says: string;
  readonly broken: string;
  readonly found: { readonly table: string; readonly ids: readonly number[] };
}[] = [
  { says: "a DRAFT has no assignee", broken: inState("DRAFT"), found: TASK },
  {
    says: "a CLAIMED task has an assignee",
    broken: inState("CLAIMED", "assignee_id = NULL"),
    found: TASK,
  },
  { says: "a CLAIMED task has a worktree", broken: inState("CLAIMED", "worktree = NULL"), found: TASK },
  {
    says: "a task is fixed only after its integration failed",
    broken: "UPDATE task SET integration_fix = 1",
    found: TASK,
  },
  { says: "a CLAIMED task has a lease", broken: inState("CLAIMED", "lease_until = NULL"), found: TASK },
  { says: "a READY_FOR_REVIEW task has a commit", broken: inState("READY_FOR_REVIEW"), found: TASK },
  { says: "a REJECTED task has a reason", broken: inState("REJECTED"), found: TASK },
  { says: "a BLOCKED task has a reason", broken: inState("BLOCKED"), found: TASK },
  {
    says: "a SUPERSEDED task names its successor",
    broken: inState("SUPERSEDED", "rescope_reason = 'it was split'"),
    found: TASK,
  },
  {
    says: "a SUPERSEDED task says why",
    broken: inState("SUPERSEDED", "superseded_by = 43"),
    found: TASK,
  },
  { says: "a MERGED task has no worktree", broken: inState("MERGED"), found: TASK },
  { says: "a working agent has a task", broken: "DELETE FROM task", found: AGENT },
  { says: "a working agent has a lease", broken: "UPDATE agent SET lease_until = NULL", found: AGENT },
  {
    says: "a working agent's lease is not over for longer than the grace",
    broken: `UPDATE agent SET lease_until = ${NOW - GRACE_MS - 1}`,
    found: AGENT,
  },
];

/** An agent at work on the claimed task of issue 1, and nothing else; the same database with its own key. */
async function soundWorld() {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  const raw = new SqliteDatabase(path);
  onTestFinished(async () => {
    raw.close();
    await store.close();
  });
  const leaseUntil = NOW + 1;
  await insertAgent(store, { issue: 1, coder: true, state: "ACTIVE", token: 1, leaseUntil });
  await store.records.insert("run", run({ agentId: 1, issue: 1, state: "executing" }));
  await store.records.insert("session", session({ agentId: 1, state: "running" }));
  const claimed = { state: "CLAIMED", assigneeId: 1, leaseUntil, worktree: "feat-dev-issue-1" } as const;
  await store.records.insert("task", task({ issue: 1, ...claimed }));
  return { store, raw };
}

/** The document's list of invariants. */
export function invariants(): void {
  describe("the invariants", () => {
    it("hold in a sound world, and while a lease is over by less than its grace", async () => {
      const { store, raw } = await soundWorld();
      expect(await store.checkInvariants(NOW)).toEqual([]);
      raw.exec(`UPDATE agent SET lease_until = ${NOW - GRACE_MS}`);
      expect(await store.checkInvariants(NOW)).toEqual([]);
    });

    it.each(INVARIANTS)("$says", async ({ broken, found }) => {
      const { store, raw } = await soundWorld();
      raw.exec(broken);
      expect(await store.checkInvariants(NOW)).toContainEqual({ rule: expect.any(String), ...found });
    });

    it("no two agents are assigned to one task: the second is refused", async () => {
      const { store } = await soundWorld();
      const second = { issue: 1, coder: true, role: "docs-dev", name: "docs-dev-issue-1" } as const;
      await expect(insertAgent(store, { ...second, state: "CREATED" })).rejects.toThrow("changed meanwhile");
    });

    it("no task but one of an issue is open: the second is refused", async () => {
      const { store } = await soundWorld();
      await expect(store.records.insert("task", task({ issue: 1 }))).rejects.toThrow("changed meanwhile");
    });
  });
}

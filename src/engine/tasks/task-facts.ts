import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { advanceAgent, agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { type HoldUnreadable, readable, withReadableRows } from "../kernel/readable.ts";

/** A lease counts as lost when it expired this long ago. */
const GRACE_MS = 60_000;
/** Leases of waiting coders renewed per round: 10,000 take less than a minute. */
const RENEWED_AT_ONCE = 200;

/** Records the commit that the coder's worktree began at on the task that it holds. */
export async function noteBase(tables: Tables, agentId: number, baseCommit: string): Promise<void> {
  for (const task of await tables.records.find("task", { assigneeId: agentId, state: "CLAIMED" }))
    await tables.records.save("task", task, { ...task, baseCommit });
}

/**
 * Watches leases of claimed tasks: renews each by the working coder's own lease, and unconditionally while
 * the coder sleeps, waits or is held. A working coder whose task's lease is lost fails.
 */
export async function watchTaskLeases(context: EngineContext, holdUnreadable: HoldUnreadable): Promise<void> {
  const { store, clock, settings } = context;
  const { taskMs } = settings.leases;
  // Renews only after half the time; renewing at every tick would be a write each.
  const below = clock.now() + taskMs / 2;
  await store.records.renewWaiting({ below, until: clock.now() + taskMs, limit: RENEWED_AT_ONCE });
  const coders = await readable(store, "agent", { state: "ACTIVE" });
  const tasks = await readable(store, "task", {
    assigneeId: coders.map(({ id }) => id),
    state: "CLAIMED",
    leaseUntil: { below },
  });
  for (const task of tasks) {
    const coder = coders.find(({ id }) => id === task.assigneeId);
    if (coder !== undefined)
      await withReadableRows(coder.id, holdUnreadable, () => watchLease(context, task, coder));
  }
}

async function watchLease(context: EngineContext, task: TaskRecord, coder: AgentRecord): Promise<void> {
  const at = context.clock.now();
  const { taskMs } = context.settings.leases;
  if ((coder.leaseUntil ?? 0) > at) {
    await context.store.transaction(async (tables) => {
      const now = await tables.records.get("task", task.id);
      if (now?.state === "CLAIMED" && now.assigneeId === coder.id)
        await tables.records.save("task", now, { ...now, leaseUntil: at + taskMs });
    });
    return;
  }
  if ((task.leaseUntil ?? 0) + GRACE_MS > at) return;
  const reason = "the lease of its task was lost: it gave no sign of life for too long";
  await advanceAgent(context, coder, {
    moves: [
      agentMove(coder, {
        type: "FAIL",
        at,
        actor: "flotilla",
        reason,
        breaker: null,
        code: "lease_lost",
        curable: true,
      }),
    ],
  });
}

import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { advanceAgent, agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable, readably, type SetAside } from "../kernel/readable.ts";

/** A lease may be over this long before it counts as lost. */
const GRACE_MS = 60_000;
/** Leases of waiting coders renewed in a round: 10,000 take less than a minute. */
const RENEWED_AT_ONCE = 200;

/** The commit that the coder's worktree began at, for the task that it holds. */
export async function noteBase(tables: Tables, agentId: number, baseCommit: string): Promise<void> {
  for (const task of await tables.records.find("task", { assigneeId: agentId, state: "CLAIMED" }))
    await tables.records.save("task", task, { ...task, baseCommit });
}

/**
 * Leases of claimed tasks: renewed by a sign of life of the coder at work, that is by its own lease, and without one
 * while it sleeps, waits or is held. A coder at work whose task's lease is lost all the same fails.
 */
export async function watchTaskLeases(context: EngineContext, aside: SetAside): Promise<void> {
  const { store, clock, settings } = context;
  const { taskMs } = settings.leases;
  // Half of it is enough to see that it holds; every tick would be a write.
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
    if (coder !== undefined) await readably(coder.id, aside, () => watchLease(context, task, coder));
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

import { setImmediate } from "node:timers/promises";
import { isLive } from "../../domain/agents/agent-record.ts";
import type { ReviewLeaseEvent, ReviewLeaseRecord } from "../../domain/review/review-lease.ts";
import { advanceAgent } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** A lease counts as lost when it expired this long ago. */
const GRACE_MS = 60_000;
/** Leases read by one statement. */
const A_PAGE = 50;

/**
 * Watches review leases: renews each while the reviewer works and its own lease holds, and always while the
 * reviewer sleeps, waits or is held. Ends an expired lease and its reviewer.
 */
export async function watchReviewLeases(context: EngineContext): Promise<void> {
  const at = context.clock.now();
  const below = at + context.settings.review.leaseMs / 2;
  for await (const lease of heldLeases(context, below)) {
    const { id, token, holderId, leaseUntil } = lease;
    const holder = holderId === null ? undefined : await context.store.records.get("agent", holderId);
    if (holder === undefined) continue;
    const { leaseMs } = context.settingsOf(holder.repositoryId).review;
    // Renews only after half the time; renewing at every tick would be a write each.
    if ((leaseUntil ?? 0) >= at + leaseMs / 2) continue;
    const resting = isLive(holder) && holder.state !== "ACTIVE";
    const alive = holder.state === "ACTIVE" && (holder.leaseUntil ?? 0) > at;
    const base = { at, actor: "flotilla" };
    const event: ReviewLeaseEvent | null =
      resting || alive
        ? { ...base, type: "RENEW", token, leaseUntil: at + leaseMs }
        : (leaseUntil ?? 0) + GRACE_MS > at
          ? null
          : { ...base, type: "EXPIRE", why: "the reviewer gave no sign of life for too long" };
    if (event === null) continue;
    await advanceAgent(context, holder, { moves: [{ machine: "review_lease", id, event }] });
    await setImmediate();
  }
}

/** Reads a page at a time. A lease renewed meanwhile ends later and does not come again. */
async function* heldLeases({ store }: EngineContext, below: number): AsyncGenerator<ReviewLeaseRecord> {
  let after: ReviewLeaseRecord | null = null;
  do {
    const page: readonly ReviewLeaseRecord[] = await store.records.heldLeases({
      below,
      after,
      limit: A_PAGE,
    });
    yield* page;
    after = page.length < A_PAGE ? null : (page.at(-1) ?? null);
    await setImmediate();
  } while (after !== null);
}

import { OperationError } from "../../domain/commands/operation-fault.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Handles a settled webhook again and records who asked for it. Throws `OperationError` not_found for one
 * that is not settled or whose body is deleted.
 */
export async function replayDelivery(
  { store, clock }: Pick<EngineContext, "store" | "clock">,
  request: { readonly delivery: string; readonly by: string },
): Promise<{ readonly replayed: string }> {
  const row = await store.deliveries.get(request.delivery);
  const replayed =
    row !== undefined &&
    (await store.transaction(async ({ deliveries, decisions }) => {
      if (!(await deliveries.replay(row.guid))) return false;
      const what = row.action === null ? row.event : `${row.event}.${row.action}`;
      await decisions.add({
        at: clock.now(),
        repositoryId: row.repositoryId,
        issue: issueIn(row.lane),
        agentId: null,
        rule: "replayed",
        reason: `${request.by} has the webhook ${what} handled again, which was ${row.state}: ${row.note ?? "without a note"}`,
        change: null,
        inputs: { by: request.by },
        delivery: row.guid,
      });
      return true;
    }));
  if (!replayed)
    throw new OperationError({
      code: "not_found",
      what: `settled delivery ${request.delivery} that still has its body`,
    });
  return { replayed: row.guid };
}

/** Returns the issue that the lane names (`7#42`), or null. */
function issueIn(lane: string): number | null {
  const number = /^\d+#(\d+)$/.exec(lane)?.[1];
  return number === undefined ? null : Number(number);
}

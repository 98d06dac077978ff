import { blockerWake } from "../../domain/blockers/blocker-wake.ts";
import { type BlockersRow, isBlockedBy, openBlockers } from "../../domain/blockers/blockers.ts";
import type { NewWake } from "../../domain/kernel/change-set.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import type { Executor } from "../outbox/execution.ts";
import { readBlockers } from "./blockers.ts";

/** Reads what blocks an issue. Agents that wait to start there are offered again in the next round. */
export const refreshBlockers: Executor<"look_at_blockers"> = async ({ context, row, effect }) => {
  const { repositoryId, issue } = effect;
  const repository = await repositoryOf(context, repositoryId);
  const read = await readBlockers(context, repository, issue);
  const open = openBlockers(read, repository);
  const known = await context.store.blockers.get(repositoryId, issue);
  const wakes = known === undefined ? [] : await takenOff(context, repository, { known, read });
  return {
    result: { open },
    changes: { wakes },
    also: async (tables) => {
      await tables.blockers.put(read);
      const before = known === undefined ? [] : openBlockers(known, repository);
      if (before.join() === open.join()) return;
      const at = context.clock.now();
      const told = issueEffect({ repositoryId, issue, effect: { kind: "status_comment" }, at });
      await tables.effects.add([{ ...told, key: `blockers-seen:${row.id}` }]);
    },
  };
};

/**
 * Returns wakes for blockers that a person ticked off in the status comment. On a server without dependencies
 * no webhook reports this: the blocker was on record and is no longer listed.
 */
async function takenOff(
  context: EngineContext,
  repository: RepositoryRow,
  { known, read }: { readonly known: BlockersRow; readonly read: BlockersRow },
): Promise<readonly NewWake[]> {
  if (read.linked) return [];
  const gone = known.blockers.filter((one) => !isBlockedBy(read, one));
  const agents = await context.store.records.find("agent", {
    repositoryId: read.repositoryId,
    issue: read.issue,
    state: "SLEEPING",
    sleepReason: "blocked",
  });
  const at = context.clock.now();
  return agents.flatMap((agent) =>
    gone.map((one) => blockerWake(agent, one, "was ticked off in the status comment", { repository, at })),
  );
}

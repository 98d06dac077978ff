import { type BlockersRow, isBlockedBy, openBlockers } from "../../core/blockers.ts";
import type { WakeWish } from "../../core/reaction.ts";
import { blockerWake } from "../../core/reactions/blocker-wake.ts";
import type { RepositoryRow } from "../../core/rows.ts";
import { readBlockers } from "../blockers.ts";
import type { EngineContext } from "../context.ts";
import { issueEffect } from "../effect-rows.ts";
import { repositoryOf } from "../repository-of.ts";
import type { Executor } from "./execution.ts";

/** Reads what an issue is blocked by; whoever waits to start there is offered again in the round after. */
export const lookAtBlockers: Executor<"look_at_blockers"> = async ({ context, row, effect }) => {
  const { repositoryId, issue } = effect;
  const repository = await repositoryOf(context, repositoryId);
  const read = await readBlockers(context, repository, issue);
  const open = openBlockers(read, repository);
  const known = await context.store.blockers.get(repositoryId, issue);
  const wakes = known === undefined ? [] : await takenOff(context, repository, { known, read });
  return {
    result: { open },
    reaction: { wakes },
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
 * Where the status comment stands for GitHub's dependencies, no webhook tells that a person ticked off what a sleeper
 * waits for: it was there, and is not any more.
 */
async function takenOff(
  context: EngineContext,
  repository: RepositoryRow,
  { known, read }: { readonly known: BlockersRow; readonly read: BlockersRow },
): Promise<readonly WakeWish[]> {
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

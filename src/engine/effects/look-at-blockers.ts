import { openBlockers } from "../../core/blockers.ts";
import { readBlockers } from "../blockers.ts";
import { issueEffect } from "../effect-rows.ts";
import { repositoryOf } from "../repository-of.ts";
import type { Executor } from "./execution.ts";

/** Reads what an issue is blocked by; whoever waits to start there is offered again in the round after. */
export const lookAtBlockers: Executor<"look_at_blockers"> = async ({ context, row, effect }) => {
  const { repositoryId, issue } = effect;
  const repository = await repositoryOf(context, repositoryId);
  const read = await readBlockers(context, repository, issue);
  const open = openBlockers(read, repository);
  return {
    result: { open },
    also: async (tables) => {
      const known = await tables.blockers.get(repositoryId, issue);
      await tables.blockers.put(read);
      const before = known === undefined ? [] : openBlockers(known, repository);
      if (before.join() === open.join()) return;
      const at = context.clock.now();
      const told = issueEffect({ repositoryId, issue, effect: { kind: "status_comment" }, at });
      await tables.effects.add([{ ...told, key: `blockers-seen:${row.id}` }]);
    },
  };
};

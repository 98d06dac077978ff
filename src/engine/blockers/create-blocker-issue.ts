import { fullName } from "../../domain/kernel/repository.ts";
import type { Executor } from "../outbox/execution.ts";
import { succeedsUnless } from "../outbox/succeeds-unless.ts";
import { readBlockers } from "./blockers.ts";

/**
 * Opens an issue that blocks the agent's own, or adopts the one that carries the name, and links the two. A
 * label that is gone is not a failure: the issue exists.
 */
export const createBlockerIssue: Executor<"create_blocker_issue"> = async (execution) => {
  const { context, repository, row, effect } = execution;
  const { github } = context;
  const { name: key, title, body, labels } = effect;
  const issue = await github.createIssue(repository, { key, title, body });
  const linked = await succeedsUnless("unsupported", () =>
    github.addBlockedBy(repository, row.issue, issue.number),
  );
  const put = labels.length === 0 ? [] : await github.addExistingLabels(repository, issue.number, labels);
  const read = await readBlockers(context, repository, row.issue);
  return {
    result: { number: issue.number, state: issue.state, linked, labels: put },
    also: async (tables) => {
      const blocker = {
        repository: fullName(repository),
        number: issue.number,
        open: issue.state === "open",
      };
      await tables.blockers.put(linked ? read : { ...read, blockers: [...read.blockers, blocker] });
    },
  };
};

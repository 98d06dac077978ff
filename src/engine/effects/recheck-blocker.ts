import { blockerWake } from "../../core/reactions/blocker-wake.ts";
import { fullName } from "../../core/repository.ts";
import { agentOf, type Executor } from "./execution.ts";

/** A blocker that was closed while its sleeper fell asleep would be missed otherwise; the wake's key makes it one. */
export const recheckBlocker: Executor<"recheck_blocker"> = async (execution) => {
  const { context, repository, effect } = execution;
  const agent = agentOf(execution);
  if (agent.state !== "SLEEPING" || !agent.blockedBy.includes(effect.blocker)) return { result: null };
  const issue = await context.github.issue(repository, effect.blocker);
  if (issue.state === "open") return { result: { state: "open" } };
  const how = issue.stateReason === "not_planned" ? "closed as not planned" : "closed";
  return {
    result: { state: "closed" },
    reaction: {
      wakes: [
        blockerWake(agent, { repository: fullName(repository), number: effect.blocker }, how, {
          repository,
          at: context.clock.now(),
        }),
      ],
    },
  };
};

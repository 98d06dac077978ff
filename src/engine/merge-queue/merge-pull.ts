import { isLive } from "../../domain/agents/agent-record.ts";
import type { Move } from "../../domain/kernel/change-set.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Execution, Executor, Outcome } from "../outbox/execution.ts";
import { ADDED } from "./github-queue.ts";
import { heldStep, refusedStep, stillDue } from "./step-of.ts";

/** How often a pull request is read again, because GitHub shows a push to its branch a moment later. */
const LAGS = 3;

/**
 * Merges approved work, or adds it to GitHub's own queue, on the condition that its head is the approved commit. First reads whether it is
 * merged, so that a merge whose answer was lost is not repeated, and then everything that the decision was
 * based on. A person's merge arrives as an event of GitHub.
 */
export const mergePull: Executor<"merge_pull"> = async (execution) => {
  const { context, repository, effect, row } = execution;
  if (effect.leave === true) {
    await context.github.dequeuePull(repository, effect.pull);
    return { result: { kind: "left" }, changes: { effects: [{ kind: "look_at_train" }] } };
  }
  const task = await context.store.records.get("task", effect.task);
  if (task?.state !== "APPROVED" || task.reviewCommit !== effect.head) return { result: { kind: "over" } };
  const pull = await context.github.mergeablePull(repository, effect.pull);
  if (pull.merged)
    return pull.mergedBy === context.identity.botId && pull.mergeCommit !== null
      ? merged(context, task, execution, pull.mergeCommit)
      : { result: { kind: "merged_by_person" } };
  if (pull.state === "closed") return { result: { kind: "closed" } };
  if (pull.headSha !== effect.head) {
    const why = `GitHub shows another head of #${effect.pull} than the one that was approved`;
    if (row.attempts >= LAGS) return refusedStep(why);
    throw notYet(why);
  }
  const now = await stillDue(context, repository, { kind: "merge", task: task.id, by: effect.by });
  if (now.outdated !== null) return now.outdated;
  await context.github.readyToMerge(repository);
  const held = await heldStep(context, task);
  if (held !== null) return held;
  if (now.facts.queue !== undefined) {
    const added = await context.github.enqueuePull(repository, effect.pull, { head: effect.head });
    return added.kind === "queued"
      ? { result: ADDED, changes: { effects: [{ kind: "look_at_train" }] } }
      : refusedStep(`GitHub did not add #${effect.pull} to its merge queue: ${added.reason}`);
  }
  const { method } = context.settingsOf(repository.id).merge;
  const answer = await context.github.mergePull(repository, effect.pull, { head: effect.head, method });
  switch (answer.kind) {
    case "merged":
      return merged(context, task, execution, answer.commit);
    case "refused":
      return refusedStep(`GitHub did not merge #${effect.pull}: ${answer.reason}`);
    case "moved":
      throw notYet(answer.reason);
  }
};

/** Returns an error after which the next try reads the head first. */
function notYet(reason: string): GitHubError {
  return new GitHubError("conflict", reason, 409, { consequence: "retry" });
}

/** Completes the task's agents and the task. */
async function merged(
  { store, clock }: EngineContext,
  task: TaskRecord,
  { effect }: Execution<"merge_pull">,
  mergeCommit: string,
): Promise<Outcome> {
  const base = { at: clock.now(), actor: effect.by ?? "flotilla" };
  const { repositoryId, issue, assigneeId } = task;
  const agents = await store.records.find("agent", { repositoryId, issue });
  const branch = agents.find(({ id }) => id === assigneeId)?.branch;
  const summary = `#${effect.pull} was merged`;
  const completed = agents
    .filter((agent) => agent.branch === branch && isLive(agent))
    .map(
      ({ id }): Move => ({
        machine: "agent",
        id,
        event: { ...base, type: "COMPLETE", cause: "merged", summary },
      }),
    );
  const event = { ...base, type: "MERGE", head: effect.head, checksGreen: true, mergeCommit } as const;
  return {
    result: { kind: "merged", commit: mergeCommit },
    changes: {
      // The agents move first: an agent still holds its task until it ends.
      moves: [...completed, { machine: "task", id: task.id, event }],
      effects: [{ kind: "status_comment" }],
    },
  };
}

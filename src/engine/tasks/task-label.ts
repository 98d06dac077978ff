import { GitHubError } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { needsHuman } from "../../domain/status/needs-human.ts";
import { type LabelChange, labelChange, needsHumanChange } from "../../domain/tasks/state-label.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Executor } from "../outbox/execution.ts";
import { readNeedFacts } from "../status/needs-human.ts";

/**
 * Returns the label changes that make the issue show its newest task's state (ended ones too) and whether it
 * waits for a person. Leaves issues alone that never had an agent or a task.
 */
export async function labelsDue(
  { store, settings }: Pick<EngineContext, "store" | "settings">,
  repository: RepositoryRow,
  { number, labels }: { readonly number: number; readonly labels: readonly string[] },
): Promise<LabelChange> {
  const found = await readNeedFacts({ tables: store, settings }, repository.id, number);
  const state = labelChange(labels, found.task);
  if (found.task === null && found.agents.length === 0) return state;
  const person = needsHumanChange(labels, { label: settings.escalation.label, needed: needsHuman(found) });
  // Removing the label lets an escalated agent continue, so it is not added again before that event is
  // handled.
  const isEscalated = found.agents.some((agent) => agent.state === "ESCALATED");
  return {
    add: [...state.add, ...(isEscalated ? [] : person.add)],
    remove: [...state.remove, ...person.remove],
  };
}

/**
 * Updates our labels on the issue. Reads GitHub first, to correct what people changed and leave correct
 * labels alone; adds before it removes. Does nothing for an issue that is gone.
 */
export const taskLabel: Executor<"task_label"> = async ({ context, repository, row }) => {
  const { github } = context;
  try {
    const { labels } = await github.issue(repository, row.issue);
    const change = await labelsDue(context, repository, { number: row.issue, labels });
    if (change.add.length > 0) await github.addLabels(repository, row.issue, [...change.add]);
    for (const label of change.remove) await github.removeLabel(repository, row.issue, label);
    return { result: change };
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return { result: { gone: true } };
    throw error;
  }
};

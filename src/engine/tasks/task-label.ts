import { GitHubError } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { needsHuman } from "../../domain/status/needs-human.ts";
import { categoryLabel, DEADLOCK } from "../../domain/tasks/escalation.ts";
import { type LabelChange, labelChange, needsHumanChange } from "../../domain/tasks/state-label.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Executor } from "../outbox/execution.ts";
import { atIssue } from "../status/needs-human.ts";

/**
 * What must be done so that the issue carries the label of its newest task, ended ones too, and says whether it waits
 * for a person. Issues that never had an agent or a task are left alone.
 */
export async function labelsDue(
  { store, settings }: Pick<EngineContext, "store" | "settings">,
  repository: RepositoryRow,
  { number, labels }: { readonly number: number; readonly labels: readonly string[] },
): Promise<LabelChange> {
  const found = await atIssue({ tables: store, settings }, repository.id, number);
  const state = labelChange(labels, found.task);
  if (found.task === null && found.agents.length === 0) return state;
  const person = needsHumanChange(labels, { label: settings.escalation.label, needed: needsHuman(found) });
  // A person who takes the label off lets an escalated agent continue; it is not put back before that is known.
  const isEscalated = found.agents.some((agent) => agent.state === "ESCALATED");
  // Its coder may have completed, and cannot put it itself.
  const cause = needsHumanChange(labels, { label: categoryLabel(DEADLOCK), needed: found.deadlocked });
  return {
    add: [...state.add, ...cause.add, ...(isEscalated ? [] : person.add)],
    remove: [...state.remove, ...cause.remove, ...person.remove],
  };
}

/**
 * The issue's labels of ours. GitHub is read first, so that what people changed is put right and what is right is
 * left alone; new labels come before old ones go. An issue that is gone has no label to show.
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

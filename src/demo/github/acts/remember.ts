import type { Account, Issue } from "../world/records.ts";
import { now, type World } from "../world/world.ts";

/** Webhook actions and the events that GitHub lists for them. Actions that are not here have a webhook but no event. */
const KEPT: ReadonlyMap<string, string> = new Map([
  ...["labeled", "unlabeled", "assigned", "unassigned", "closed", "reopened", "locked", "unlocked"].map(
    (name): [string, string] => [name, name],
  ),
  ["merged", "merged"],
  ["renamed", "renamed"],
  ["converted_to_draft", "convert_to_draft"],
  ["ready_for_review", "ready_for_review"],
]);

/** Adds an entry to the list of events of an issue or pull request. */
export function remember(
  world: World,
  issue: Issue,
  actor: Account,
  action: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const event = KEPT.get(action);
  if (event === undefined) return;
  const commitId = event === "merged" ? (issue.pull?.mergeCommitSha ?? null) : null;
  issue.events.push({ id: world.nextId(), event, actor, createdAt: now(world), fields, commitId });
}

import type { Account, Issue } from "../world/records.ts";
import { now, type World } from "../world/world.ts";

/** The webhook's action to the event that GitHub keeps of it; what is not here is told and not kept. */
const KEPT: ReadonlyMap<string, string> = new Map([
  ...["labeled", "unlabeled", "assigned", "unassigned", "closed", "reopened", "locked", "unlocked"].map(
    (name): [string, string] => [name, name],
  ),
  ["merged", "merged"],
  ["converted_to_draft", "convert_to_draft"],
  ["ready_for_review", "ready_for_review"],
]);

/** Puts what happened into the list of events of an issue or pull request. */
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

import type { IssueEvent, Repository } from "../world/records.ts";
import { fullNameOf, nodeId, type World } from "../world/world.ts";
import { renderAccount } from "./account.ts";

/** Renders one entry of an issue's list of events. */
export function renderIssueEvent(
  world: World,
  repository: Repository,
  { id, event, actor, createdAt, fields, commitId }: IssueEvent,
): Record<string, unknown> {
  const base = `${world.api}/repos/${fullNameOf(repository)}`;
  return {
    id,
    node_id: nodeId("IssueEvent", id),
    url: `${base}/issues/events/${id}`,
    actor: renderAccount(world, actor),
    event,
    commit_id: commitId,
    commit_url: commitId === null ? null : `${base}/commits/${commitId}`,
    created_at: createdAt,
    performed_via_github_app: null,
    ...(event.endsWith("locked") ? { lock_reason: null } : {}),
    ...("assignee" in fields ? { assigner: renderAccount(world, actor) } : {}),
    ...fields,
  };
}

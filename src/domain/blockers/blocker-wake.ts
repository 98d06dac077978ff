import type { AgentRecord } from "../agents/agent-record.ts";
import type { NewWake } from "../kernel/change-set.ts";
import { fullName } from "../kernel/repository.ts";
import type { RepositoryRow } from "../kernel/rows.ts";
import { blockerWakeKey, type IssueRef, issueText } from "./blockers.ts";

/**
 * Returns the wake that tells an agent that an issue no longer blocks it; at most one per issue and period. `what` =
 * "was closed" and the like; `repository` = where Flotilla learned of it, the agent's own or the blocker's.
 */
export function blockerWake(
  agent: AgentRecord,
  blocker: IssueRef,
  what: string,
  { repository, at }: { readonly repository: RepositoryRow; readonly at: number },
): NewWake {
  const name =
    agent.repositoryId === repository.id
      ? issueText(blocker, repository)
      : `${blocker.repository}#${blocker.number}`;
  return {
    key: blockerWakeKey(agent, blocker),
    agentId: agent.id,
    reason: "blocker",
    detail: `${name}, which blocked you, ${what}.`,
    grant: null,
    dueAt: at,
    blocker,
  };
}

/** Returns the issue of an event, for agents of any repository that wait for it. */
export function issueOf(event: {
  readonly repository: RepositoryRow;
  readonly issue: { readonly number: number };
}): IssueRef {
  return { repository: fullName(event.repository), number: event.issue.number };
}

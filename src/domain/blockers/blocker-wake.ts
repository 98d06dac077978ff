import type { AgentRecord } from "../agents/agent-record.ts";
import type { NewWake } from "../kernel/change-set.ts";
import { fullName } from "../kernel/repository.ts";
import type { RepositoryRow } from "../kernel/rows.ts";
import { blockerWakeKey, type IssueRef, issueText } from "./blockers.ts";

/**
 * What tells an agent that an issue blocks it no more: one wake for each, whoever finds out first. `what` = "was closed"
 * and the like; `repository` = where that was found out, the agent's own or the blocker's.
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

/** Returns the issue that an event is about, for agents that wait for it in any repository. */
export function issueOf(event: {
  readonly repository: RepositoryRow;
  readonly issue: { readonly number: number };
}): IssueRef {
  return { repository: fullName(event.repository), number: event.issue.number };
}

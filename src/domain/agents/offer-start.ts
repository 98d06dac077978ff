import type { IssueFacts } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState } from "../kernel/change-set.ts";
import type { Role } from "./role.ts";
import { startRole } from "./start-role.ts";

/**
 * Offers a start to people for an open issue whose role label was set unseen by Flotilla (`why`): Flotilla never starts
 * it by itself. What holds up every start is recorded in its place, and not written on the issue.
 */
export function offerStart(
  role: Role,
  view: IssueState,
  { issue, at, actor, why }: { issue: IssueFacts; at: number; actor: string; why: string },
): ChangeSet {
  const start = startRole(role, view, { at, actor, issue, personPull: null });
  if (start.moves.length === 0) return { ...start, effects: [] };
  return decisionOnly("offered", `${why}, and nothing was started`, {
    change: `a person with write permission says \`/flotilla start ${role.name}\``,
    shown: true,
  });
}

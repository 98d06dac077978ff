import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import type { DomainEvent } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState } from "../kernel/change-set.ts";
import { PLAN_TOOL } from "../sessions/tool-names.ts";
import { isPlanLabel } from "./plan-label.ts";

/**
 * Makes the issue's coder plan first, if its first turn has not ended; later the coder continues without a plan, and
 * the status comment says so.
 */
export function onPlanLabeled(view: IssueState): ChangeSet {
  const begun = coderAtWork(view);
  if (begun === undefined)
    return decisionOnly("plan_label", `the next coder that begins on #${view.issue} plans first`);
  if (begun.planFirst || canStillPlan(begun, view))
    return decisionOnly("plan_label", `${begun.name} plans first`, { agentId: begun.id });
  return decisionOnly("plan_label", `${begun.name} has already started without a plan, and continues`, {
    agentId: begun.id,
    change: "say `/flotilla cancel`, then `/flotilla start`, to start again with a plan",
    shown: true,
  });
}

/** Returns the coder that must plan first from now on, because the label was set while it was starting. */
export function plansFromNow(event: DomainEvent, view: IssueState): AgentRecord | undefined {
  if (event.type !== "issue_labeled" || !isPlanLabel(event.label)) return undefined;
  const begun = coderAtWork(view);
  return begun !== undefined && !begun.planFirst && canStillPlan(begun, view) ? begun : undefined;
}

function coderAtWork({ agents }: IssueState): AgentRecord | undefined {
  return agents.find((agent) => isLive(agent) && agent.coder && agent.state !== "CREATED");
}

function canStillPlan({ turns, role }: AgentRecord, { settings }: IssueState): boolean {
  return turns === 0 && settings.roles.get(role)?.tools.includes(PLAN_TOOL) === true;
}

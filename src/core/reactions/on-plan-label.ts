import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import type { Occurrence } from "../occurrence.ts";
import { isPlanLabel } from "../plan-label.ts";
import { decided, type Reaction, type View } from "../reaction.ts";
import { PLAN_TOOL } from "../tool-names.ts";

/** The label counts until the first turn of an agent has ended; an agent that is further continues without it, and that is said. */
export function onPlanLabeled(view: View): Reaction {
  const begun = coderAtWork(view);
  if (begun === undefined)
    return decided("plan_label", `the next coder that begins on #${view.issue} plans first`);
  if (begun.planFirst || canStillPlan(begun, view))
    return decided("plan_label", `${begun.name} plans first`, { agentId: begun.id });
  return decided("plan_label", `${begun.name} has already started without a plan, and continues`, {
    agentId: begun.id,
    change: "say `/flotilla cancel`, then `/flotilla start`, to start again with a plan",
    shown: true,
  });
}

/** Returns the coder that must plan first from now on, because the label came while it was beginning. */
export function plansFromNow(occurrence: Occurrence, view: View): AgentRecord | undefined {
  if (occurrence.type !== "issue_labeled" || !isPlanLabel(occurrence.label)) return undefined;
  const begun = coderAtWork(view);
  return begun !== undefined && !begun.planFirst && canStillPlan(begun, view) ? begun : undefined;
}

function coderAtWork({ agents }: View): AgentRecord | undefined {
  return agents.find((agent) => isLive(agent) && agent.coder && agent.state !== "CREATED");
}

function canStillPlan({ turns, role }: AgentRecord, { settings }: View): boolean {
  return turns === 0 && settings.roles.get(role)?.tools.includes(PLAN_TOOL) === true;
}

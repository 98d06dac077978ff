import { isLive } from "../machines/agent-record.ts";
import { decided, type Reaction, type View } from "../reaction.ts";

/** The label is read when an agent's work begins: whoever has begun goes on without it, and that is said. */
export function onPlanLabeled(view: View): Reaction {
  const begun = view.agents.find((agent) => isLive(agent) && agent.coder && agent.state !== "CREATED");
  if (begun === undefined)
    return decided("plan_label", `the next coder that begins on #${view.issue} plans first`);
  if (begun.planFirst)
    return decided("plan_label", `${begun.name} plans first already`, { agentId: begun.id });
  return decided("plan_label", `${begun.name} has begun without a plan, and goes on so`, {
    agentId: begun.id,
    change: "`/flotilla cancel`, then `/flotilla start`, begins anew with a plan",
    shown: true,
  });
}

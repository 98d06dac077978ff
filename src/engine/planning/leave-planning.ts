import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { advanceHolder, runMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";

/**
 * Moves the run from planning or adapting to executing, with the submitted plan if any; committed when it
 * resolves. Does nothing in other phases. `agent` is the record from the start of its period: "fenced" when
 * that is over.
 */
export async function leavePlanning(
  context: EngineContext,
  agent: AgentRecord,
  plan?: string,
): Promise<"executing" | "kept" | "fenced"> {
  const current = await context.store.records.get("agent", agent.id);
  if (current?.state !== "ACTIVE" || current.token !== agent.token) return "fenced";
  const run = await runOf(context.store, agent.id);
  if (run?.state !== "planning" && run?.state !== "adapting") return "kept";
  const type = run.state === "planning" ? "PLAN_COMPLETE" : "ADAPTATION_COMPLETE";
  const { fenced } = await advanceHolder(context, current, {
    moves: [
      runMove(run, {
        at: context.clock.now(),
        actor: "agent",
        type,
        ...(plan === undefined ? {} : { plan }),
      }),
    ],
  });
  return fenced ? "fenced" : "executing";
}

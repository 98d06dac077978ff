import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { advanceHolder, runMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";

/** Phases in which a turn counts as a step of the run. */
const STEPPING: readonly string[] = ["planning", "executing", "adapting"];

/**
 * Counts one more turn of the agent and one more step of the run, in one transaction. `agent` is the record
 * from the start of its period.
 */
export async function countTurn(context: EngineContext, agent: AgentRecord): Promise<void> {
  const run = await runOf(context.store, agent.id);
  const steps = run !== undefined && STEPPING.includes(run.state);
  const { fenced } = await advanceHolder(
    context,
    agent,
    {
      moves: steps
        ? [runMove(run, { type: "STEP", at: context.clock.now(), actor: "agent", atLimit: false })]
        : [],
    },
    { also: async (tables) => void (await tables.records.count(agent.id, "turns", 1)) },
  );
  // The model was called although the period is over.
  if (fenced) await context.store.records.count(agent.id, "turns", 1);
}

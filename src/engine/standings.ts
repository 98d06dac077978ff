import { holdsOf } from "../core/hold.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { type Standing, standing } from "../core/text/standing.ts";
import type { EngineContext } from "./context.ts";
import { holdsAround } from "./holds-around.ts";

/** Where the agents of one issue stand, by id. What holds them is what the engine knows, which is more than the database does. */
export async function standingsOf(
  context: EngineContext,
  agents: readonly AgentRecord[],
): Promise<ReadonlyMap<number, Standing>> {
  const { store } = context;
  const [first] = agents;
  if (first === undefined) return new Map();
  const held = await holdsAround(context, store, first);
  const around = await store.lists.around(agents);
  const told = agents.flatMap((agent): readonly (readonly [number, Standing])[] => {
    const facts = around.get(agent.id);
    return facts === undefined
      ? []
      : [[agent.id, standing(agent, { ...facts, holds: holdsOf(agent, held) })]];
  });
  return new Map(told);
}

import { holdsOf } from "../core/hold.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { standLines } from "../core/text/explain.ts";
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

/** Where the agents of an issue, its latest work and its goal or sprint stand, as people read it there. */
export async function standsOn(
  context: EngineContext,
  {
    repositoryId,
    issue,
    agents,
  }: { readonly repositoryId: number; readonly issue: number; readonly agents: readonly AgentRecord[] },
): Promise<readonly string[]> {
  const { store } = context;
  const standings = await standingsOf(context, agents);
  return standLines({
    agents: agents.flatMap((agent) => {
      const stands = standings.get(agent.id);
      return stands === undefined ? [] : { agent, standing: stands };
    }),
    task: (await store.records.find("task", { repositoryId, issue })).at(-1) ?? null,
    plan: (await store.plans.ofIssue(repositoryId, issue)) ?? null,
  });
}

import { setImmediate } from "node:timers/promises";
import type { EffectKind } from "../../domain/kernel/effect.ts";
import { isPresent, RENEW_MS } from "../../domain/recovery/node.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import type { Drivers } from "../sessions/drivers.ts";
import { interruptCalls } from "../sessions/interrupt-calls.ts";
import { suspendAgent } from "./recover.ts";

/**
 * Effects that write nothing outside of their node. Those of a lost node may be tried again at once; each other one waits
 * until its lease has ended, since a node that was only cut off may still be sending it.
 */
const ON_ITS_NODE: readonly EffectKind[] = [
  "open_session",
  "close_session",
  "interrupt",
  "remove_worktree",
  "forget_work",
];

const WORDS = {
  moved: "its machine gave no sign of life",
  woken: "its machine gave no sign of life: it continues on another one",
} as const;

/**
 * Returns a round that puts to rest what works on nodes that are gone, so that it continues elsewhere, and releases what
 * they had leased. The commits of such a node are refused from then on, should it only have been slow: the agents have
 * new tokens, the leases too.
 */
export function lostNodes(context: EngineContext): () => Promise<void> {
  const { store, clock, log, secondLookupMs, alone, nodes } = context;
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now();
    if (alone || !nodes.mayJudge || now - last < RENEW_MS) return;
    last = now;
    const known = await store.nodes.list();
    const lost = known.filter((node) => !isPresent(node, now)).map(({ name }) => name);
    await store.deliveries.reclaim({ nodes: lost, now });
    await store.effects.reclaim({ nodes: lost, kinds: ON_ITS_NODE, now, lagsUntil: now + secondLookupMs });
    const here = new Set(known.map(({ name }) => name).filter((name) => !lost.includes(name)));
    for (const agent of await readable(store, "agent", { state: "ACTIVE" })) {
      if (here.has(agent.node)) continue;
      log.warn({ agent: agent.name, lost: agent.node }, "agent of a lost node put to rest");
      await interruptCalls(context, agent.id);
      await suspendAgent(context, agent, { words: WORDS });
      await setImmediate();
    }
  };
}

/**
 * Ends the processes here of agents that others have put to rest or opened, after this node seemed lost to them. What
 * such a process does is refused anyhow.
 */
export async function stopMovedOn({ store, node }: EngineContext, drivers: Drivers): Promise<void> {
  const running = drivers.running();
  if (running.length === 0) return;
  const own = new Set(await store.records.ids("agent", { id: running, state: "ACTIVE", node }));
  for (const id of running) if (!own.has(id)) await drivers.stop(id);
}

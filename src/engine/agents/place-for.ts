import type { GuardContext } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { isRoomLimited, noRoom } from "../../domain/breakers/room.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { roomFor } from "./room-for.ts";

/** The machine on which an agent starts or wakes, and whether it fits there. */
export type Place = Pick<GuardContext, "node" | "room">;

type Asking = Pick<AgentRecord, "state" | "node">;

const NOWHERE = {
  reason: "no machine runs agents",
  change: "it starts automatically when one does: the operator starts Flotilla with the role `runner`",
} as const;

/**
 * Chooses the machine for an agent: the one that has its worktree and conversation, while it runs; else, of those where
 * it fits, the one with the fewest agents at work. Call it in the transaction of the move.
 */
export async function placeFor(
  context: EngineContext,
  tables: Pick<Tables, "records">,
  agent: Asking | null,
): Promise<Place> {
  const { nodes, roles, node, settings } = context;
  const own = roles.has("runner");
  const others = nodes.otherRunners();
  const home = agent === null || agent.state === "CREATED" ? undefined : agent.node;
  if (own && (others.length === 0 || (home === node && !nodes.isDraining)))
    return { node, room: await roomFor(context, tables) };
  const atWork = await tables.records.slotsByNode();
  const placesOf = (one: (typeof others)[number]): Place => ({
    node: one.name,
    room: isRoomLimited(settings)
      ? (noRoom(
          {
            memoryBytes: one.memoryBytes ?? Number.POSITIVE_INFINITY,
            freeDiskBytes: one.freeDiskBytes,
            atWork: atWork.get(one.name) ?? 0,
          },
          settings,
        ) ?? true)
      : true,
  });
  const known = others.find(({ name }) => name === home);
  if (known !== undefined) return placesOf(known);
  const places = [...(own ? [{ node, room: await roomFor(context, tables) }] : []), ...others.map(placesOf)];
  const [best] = places
    .filter(({ room }) => room === true)
    .toSorted((a, b) => (atWork.get(a.node) ?? 0) - (atWork.get(b.node) ?? 0));
  return best ?? places[0] ?? { node, room: NOWHERE };
}

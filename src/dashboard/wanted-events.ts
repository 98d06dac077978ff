import type { IncomingMessage } from "node:http";
import type { Store } from "../core/ports/store.ts";
import type { Wanted } from "./event-streams.ts";
import { findAgent } from "./find-agent.ts";
import type { Rights } from "./viewer.ts";

/**
 * What a request for `/api/events` asks for. The cursor is `Last-Event-ID`, which a browser sends when it comes back, or
 * else `?after=`; without one, what comes from now on. `?agent=` is an agent's key. A text says what is wrong.
 */
export async function wantedEvents(
  store: Store,
  { mayRead, mayStay }: Pick<Rights, "mayRead"> & Pick<Wanted, "mayStay">,
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<Wanted | "no_agent" | "no_cursor"> {
  const key = query.get("agent");
  const agent = key === null ? null : await findAgent(store, key);
  if (agent === undefined || (agent !== null && !(await mayRead(agent.repositoryId)))) return "no_agent";
  const agentId = agent?.id ?? null;
  const header = request.headers["last-event-id"];
  const given = typeof header === "string" && header !== "" ? header : query.get("after");
  const latest = await store.runEvents.latest();
  if (given === null) return { after: latest, agentId, mayRead, mayStay };
  if (!/^\d{1,15}$/.test(given)) return "no_cursor";
  // Of another database: a cursor that was not reached yet would wait for ever.
  return { after: Math.min(Number(given), latest), agentId, mayRead, mayStay };
}

import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { LongAsleep, Tables } from "../../domain/ports/store.ts";
import { readable } from "../kernel/readable.ts";

/** Agents per page; the next round continues with the next page. */
const A_ROUND = 100;

/**
 * Pages through the agents that have waited longest, one page per round, and starts over after the last page.
 */
export class LongSleepers {
  #last: LongAsleep | null = null;
  readonly #store: Pick<Tables, "records">;
  readonly #which: Parameters<Tables["records"]["longAsleep"]>[0];

  constructor(store: Pick<Tables, "records">, which: Parameters<Tables["records"]["longAsleep"]>[0]) {
    this.#store = store;
    this.#which = which;
  }

  /** Returns the next page of agents that have waited since before the given time. */
  async next(before: number): Promise<readonly AgentRecord[]> {
    const page = await this.#store.records.longAsleep(this.#which, before, this.#last, A_ROUND);
    this.#last = page.length < A_ROUND ? null : (page.at(-1) ?? null);
    const agents = await readable(this.#store, "agent", { id: page.map(({ id }) => id) });
    const byId = new Map(agents.map((agent) => [agent.id, agent]));
    return page.flatMap(({ id }) => byId.get(id) ?? []);
  }
}

import { type AgentFilter, FILTER_KEYS, readFilter } from "../core/agent-filter.ts";
import type { AgentWithPhase, Listed, Looked, PageOf, Position } from "../core/ports/lists.ts";
import { STATE_WORDS } from "../core/state-words.ts";
import type { ReadOnlyStore } from "../store/open-read-only.ts";
import type { CommandContext } from "./command.ts";
import { statesTyped } from "./state-words.ts";

/** A full page where there is one: a page of rare ones is short. */
export async function agentsLike(
  store: ReadOnlyStore,
  filter: AgentFilter,
  { after, limit }: PageOf,
): Promise<readonly Listed<AgentWithPhase>[]> {
  const rows: Listed<AgentWithPhase>[] = [];
  for (let next: Position | null = after; rows.length < limit; ) {
    const found: Looked<AgentWithPhase> = await store.lists.agentsLike(
      { filter, repositories: null },
      { after: next, limit: limit - rows.length },
    );
    rows.push(...found.rows);
    if (found.next === null) break;
    next = found.next;
  }
  return rows;
}

/** What `list` is asked for; or a sentence about what cannot be read. */
export function filterTyped(options: CommandContext["options"]): AgentFilter | { readonly fault: string } {
  const asked: Partial<Record<(typeof FILTER_KEYS)[number], string>> = {};
  for (const key of FILTER_KEYS) {
    const value = options[key];
    if (typeof value === "string") asked[key] = value;
  }
  if (asked.state !== undefined) {
    const typed = statesTyped([asked.state], STATE_WORDS);
    if ("unknown" in typed) return { fault: typed.unknown };
    asked.state = typed.states.includes(asked.state) ? asked.state : asked.state.toLowerCase();
  }
  const filter = readFilter(asked);
  return "fault" in filter ? { fault: `--${filter.key} ${filter.fault}.` } : filter;
}

import { type AgentRecord, isLive } from "../../domain/agents/agent-record.ts";
import type { Store, Tables } from "../../domain/ports/store.ts";
import { type Answer, NOT_FOUND, ok } from "../../http/answer.ts";
import { agentEvidence } from "./agent-evidence.ts";
import { agentHandoff } from "./agent-handoff.ts";
import { type AgentViewParts, agentViews, type SeenAgent } from "./agent-view.ts";
import { repositoryNames } from "./goal-json.ts";
import { decisionJson, effectJson, runEventJson, transitionJson } from "./json.ts";
import { NO_PAGE, paged, pageOf } from "./paging.ts";
import { type WaitingItem, waitingOf, waitingTask } from "./waiting.ts";

/** The changes of an agent, or why they cannot be shown. */
export type AgentDiff =
  | { readonly files: readonly string[]; readonly patch: string; readonly cut: boolean }
  | { readonly why: string };

export interface AgentReadParts extends AgentViewParts {
  readonly store: Store;
  readonly diff: (agent: AgentRecord) => Promise<AgentDiff>;
}

/** Answers `/api/agents/{id}/{more}`: what the database holds about one agent. */
export async function agentRead(
  parts: AgentReadParts,
  agent: AgentRecord,
  more: string,
  query: URLSearchParams,
): Promise<Answer> {
  const { store } = parts;
  if (more === "transcript") return transcriptAnswer(store, agent, query);
  const page = pageOf(query, 1);
  if (page === null) return NO_PAGE;
  switch (more) {
    case "transitions": {
      const { rows, next } = await paged(page, (some) =>
        store.lists.transitions({ agentId: agent.id, latestFirst: query.get("order") === "latest" }, some),
      );
      return ok({ transitions: rows.map((each) => transitionJson(each, agent)), next });
    }
    case "view": {
      const [seen] = await agentViews(parts, [agent]);
      if (seen === undefined) return NOT_FOUND;
      const waiting = [...waitingOf(seen), ...(await workOf(parts, seen))];
      return ok({ agent: seen.view, waiting, others: await othersOf(parts, agent) });
    }
    case "evidence":
      return ok(await agentEvidence(store, agent));
    case "handoff": {
      const [seen] = await agentViews(parts, [agent]);
      return seen === undefined ? NOT_FOUND : ok({ handoff: await agentHandoff(store, seen, parts.site) });
    }
    case "decisions": {
      const { repositoryId, issue, id } = agent;
      const { rows, next } = await paged(page, (some) =>
        store.lists.decisions({ repositoryId, issue, agentId: id }, some),
      );
      return ok({ decisions: rows.map(decisionJson), next });
    }
    case "effects": {
      const { rows, next } = await paged(page, (some) => store.lists.effectsOfAgent(agent.id, some));
      const nameOf = await repositoryNames(store);
      return ok({ effects: rows.map((row) => effectJson(row, nameOf(row.effect.repositoryId))), next });
    }
    default:
      return NOT_FOUND;
  }
}

/** Agents of an issue that are named beside one of them, the latest. */
const OTHERS = 20;

/** Returns the other agents of the issue: earlier and later attempts, and reviewers. */
async function othersOf(parts: AgentReadParts, { id, repositoryId, issue }: AgentRecord) {
  const all = await parts.store.records.find("agent", { repositoryId, issue });
  const seen = await agentViews(parts, all.filter((one) => one.id !== id).slice(-OTHERS));
  return seen.map(({ view: { key, role, attempt, state, headline, cost_usd, created_at } }) => ({
    key,
    role,
    attempt,
    state,
    headline,
    cost_usd,
    created_at,
  }));
}

/** Returns what the task of an ended coder waits for, if that coder was the last one that held the task. */
async function workOf(
  { store, site }: AgentReadParts,
  { agent, view, merges, mayMerge }: SeenAgent,
): Promise<readonly WaitingItem[]> {
  if (!agent.coder || isLive(agent)) return [];
  const work = await store.lists.waitingWork(agent.repositoryId, agent.issue);
  if (work?.endedCoder !== agent.name || (work.task.state === "APPROVED" && merges)) return [];
  return [waitingTask(work, { repository: view.repository, site, mayMerge })];
}

/** Rows of one page. */
const PAGE = 1000;

const NO_CURSOR: Answer = {
  status: 400,
  body: {
    error: "invalid_argument",
    hint: "set ?after= to the `next` of the previous page, or to 0 for the beginning",
  },
};

/**
 * Answers `GET /api/agents/{id}/transcript?after=0`: what an agent said, called and encountered, oldest first, in the
 * format of `/api/events`. `next` is the cursor of the next page; null if there are no more events at the moment.
 */
async function transcriptAnswer(
  store: Pick<Tables, "runEvents" | "repositories">,
  agent: AgentRecord,
  query: URLSearchParams,
): Promise<Answer> {
  const after = query.get("after") ?? "0";
  if (!/^\d{1,15}$/.test(after)) return NO_CURSOR;
  const repository = await store.repositories.get(agent.repositoryId);
  const rows = await store.runEvents.after(Number(after), { limit: PAGE, agentId: agent.id });
  return ok({
    transcript: rows.map((row) => runEventJson(row, agent, repository)),
    next: rows.length === PAGE ? (rows.at(-1)?.id ?? null) : null,
  });
}

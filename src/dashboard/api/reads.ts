import { mergesItself } from "../../domain/access/level-of.ts";
import { FILTER_KEYS, isByState, readFilter } from "../../domain/agents/agent-filter.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import type { PageOf } from "../../domain/ports/lists.ts";
import type { Store } from "../../domain/ports/store.ts";
import { TASK_STATES } from "../../domain/tasks/task-record.ts";
import { type Answer, NOT_FOUND, ok } from "../../http/answer.ts";
import type { RequestTarget } from "../../http/request-target.ts";
import { mayKnow, type Rights } from "../auth/viewer.ts";
import { type AgentReadParts, agentRead } from "./agent-reads.ts";
import { findAgent, ofEngine } from "./agent-view.ts";
import { goalJson, repositoryNames, taskJson } from "./goal-json.ts";
import { agentJson, decisionJson, deliveryJson, effectJson, pauseJson, transitionJson } from "./json.ts";
import { endedAgents, liveAgents, overview, waitingList } from "./overview.ts";
import { cursorOf, NO_PAGE, paged, pageOf } from "./paging.ts";
import { PERIODS } from "./periods.ts";
import type { ReadTurns } from "./read-turns.ts";
import { scopeView } from "./scope-pages.ts";

export interface ReadParts extends AgentReadParts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly turns: ReadTurns;
}

const DELIVERY_STATES = ["pending", "claimed", "done", "ignored", "dead"] as const;
const EFFECT_STATES = ["pending", "leased", "failed"] as const;

/** The values that `?state=` accepts, by list. */
const STATES_OF = new Map<string, readonly string[]>([
  ["tasks", TASK_STATES],
  ["goals", ["open", "any"]],
  ["deliveries", DELIVERY_STATES],
  ["effects", EFFECT_STATES],
]);

const NO_PERIOD: Answer = {
  status: 400,
  body: { error: "invalid_argument", hint: `set ?per=${PERIODS.join("|")}` },
};

/** Answers `GET /api/…` with what this viewer may see. */
export async function read(
  parts: ReadParts,
  rights: Rights,
  { segments, query }: RequestTarget,
): Promise<Answer> {
  const path = segments.slice(1);
  const [what, id, more] = path;
  if (what === "agents" && id !== undefined && path.length <= 3)
    return agent(parts, rights, id, { more, query });
  if ((what === "repositories" || what === "goals") && id !== undefined) {
    const issue = what === "goals" ? Number(more) : null;
    const per = PERIODS.find((known) => known === (query.get("per") ?? "day"));
    if (per === undefined) return NO_PERIOD;
    await rights.repositories();
    const place = await scopeView({ ...parts, per }, rights, id, issue);
    return place === null ? NOT_FOUND : ok(place);
  }
  if (path.length !== 1) return NOT_FOUND;
  // May ask GitHub, so it runs outside of any turn.
  await rights.repositories();
  return parts.turns.take(() => list(parts, rights, { what: what ?? "", query }));
}

async function list(
  parts: ReadParts,
  rights: Rights,
  { what, query }: { readonly what: string; readonly query: URLSearchParams },
): Promise<Answer> {
  const { store } = parts;
  const asked = query.get("state");
  const taken = STATES_OF.get(what);
  if (asked !== null && taken?.includes(asked) === false)
    return {
      status: 400,
      body: { error: "invalid_argument", hint: `?state= takes one of ${taken.join(", ")}` },
    };
  switch (what) {
    case "overview":
      return ok(await overview(parts, rights, parts.now));
    case "waiting":
      return waiting(parts, rights, query);
    case "agents":
      return agents(parts, rights, query);
    case "live-agents": {
      const page = pageOf(query, 3);
      if (page === null) return NO_PAGE;
      const { rows, next } = await liveAgents(parts, rights, page);
      return ok({ agents: rows, next });
    }
    case "ended-agents": {
      const page = pageOf(query, 2);
      if (page === null) return NO_PAGE;
      const { rows, next } = await endedAgents(parts, rights, { page, now: parts.now });
      return ok({ agents: rows, next });
    }
    case "transitions":
      return transitions(store, rights, query);
  }
  const page = pageOf(query, what === "goals" ? 3 : 1);
  if (page === null) return NO_PAGE;
  const repositories = await rights.repositories();
  switch (what) {
    case "deliveries": {
      const state = DELIVERY_STATES.find((known) => known === asked) ?? null;
      const { rows, next } = await paged(page, (some) =>
        store.lists.deliveries({ state, repositories }, some),
      );
      return ok({ deliveries: rows.map(deliveryJson), next });
    }
    case "effects": {
      const state = EFFECT_STATES.find((known) => known === asked);
      const states = state === undefined ? EFFECT_STATES : [state];
      const { rows, next } = await paged(page, (some) => store.lists.effects({ states, repositories }, some));
      const nameOf = await repositoryNames(store);
      return ok({ effects: rows.map((row) => effectJson(row, nameOf(row.effect.repositoryId))), next });
    }
    case "tasks": {
      const state = TASK_STATES.find((known) => known === asked) ?? null;
      const latestFirst = query.get("order") === "latest";
      const { rows, next } = await paged(page, (some) =>
        store.lists.tasks({ state, repositories, latestFirst }, some),
      );
      const nameOf = await repositoryNames(store);
      return ok({
        tasks: rows.map((row) => {
          const name = nameOf(row.task.repositoryId);
          return taskJson(row, name, mergesItself(parts.settings, name));
        }),
        next,
      });
    }
    case "goals": {
      const open = query.get("state") !== "any";
      const { rows, next } = await paged(page, (some) => store.plans.list({ open, repositories }, some));
      const nameOf = await repositoryNames(store);
      return ok({ goals: rows.map((row) => goalJson(row, nameOf(row.repositoryId))), next });
    }
    case "decisions":
      return decisions(store, rights, { issue: query.get("issue") ?? "", page });
    default:
      return NOT_FOUND;
  }
}

async function waiting(parts: ReadParts, rights: Rights, query: URLSearchParams): Promise<Answer> {
  const page = pageOf(query, 3);
  if (page === null) return NO_PAGE;
  const { rows, next } = await waitingList(parts, rights, page);
  return ok({ waiting: rows, next });
}

/**
 * Lists agents in the order in which they were created; agents in one state by how long they have been in it. A page
 * may be short even if another one follows.
 */
async function agents(parts: ReadParts, rights: Rights, query: URLSearchParams): Promise<Answer> {
  const { store } = parts;
  const filter = readFilter(
    Object.fromEntries(
      FILTER_KEYS.flatMap((key) => (query.has(key) ? [[key, query.getAll(key).join()]] : [])),
    ),
  );
  if ("fault" in filter)
    return {
      status: 400,
      body: { error: "invalid_argument", hint: `?${filter.key}= ${filter.fault}` },
    };
  const page = pageOf(query, isByState(filter) ? 3 : 1);
  if (page === null) return NO_PAGE;
  const pauses = await mayKnow(rights, await store.scopePauses.list());
  const repositories = await rights.repositories();
  const { rows: found, next } = await store.lists.agentsLike({ filter, repositories }, page);
  const rows = found.map(({ row }) => row);
  const known = new Map((await store.repositories.all()).map((each) => [each.id, each]));
  const around = await store.lists.around(rows.map(({ agent: each }) => each));
  return ok({
    agents: rows.flatMap((row) => {
      const of = around.get(row.agent.id);
      const repository = known.get(row.agent.repositoryId);
      return of === undefined
        ? []
        : agentJson(row.agent, repository, ofEngine(parts, row.agent, repository, of));
    }),
    next: next === null ? null : cursorOf(next),
    paused: pauses.map(pauseJson),
  });
}

async function agent(
  parts: ReadParts,
  rights: Rights,
  key: string,
  { more, query }: { readonly more: string | undefined; readonly query: URLSearchParams },
): Promise<Answer> {
  const { store } = parts;
  const row = await findAgent(store, key);
  if (row === undefined || !(await rights.mayRead(row.repositoryId))) return NOT_FOUND;
  if (more === "diff") return ok({ diff: await parts.diff(row) });
  if (more !== undefined) return parts.turns.take(() => agentRead(parts, row, more, query));
  const repository = await store.repositories.get(row.repositoryId);
  const around = (await store.lists.around([row])).get(row.id);
  return around === undefined
    ? NOT_FOUND
    : ok({ agent: agentJson(row, repository, ofEngine(parts, row, repository, around)) });
}

/** Lists transitions. The cursor is the id of the last transition shown, so that programs can follow new ones. */
async function transitions(store: Store, rights: Rights, query: URLSearchParams): Promise<Answer> {
  const limit = pageOf(new URLSearchParams({ limit: query.get("limit") ?? "200" }), 1)?.limit;
  const after = query.get("after") ?? "0";
  if (limit === undefined || !/^\d{1,15}$/.test(after)) return NO_PAGE;
  const repositories = await rights.repositories();
  const page = { after: [Number(after)], limit };
  const found = (await store.lists.transitions({ repositories }, page)).map(({ row }) => row);
  const ids = [...new Set(found.flatMap((row) => row.agentId ?? []))];
  const byId = new Map((await store.records.find("agent", { id: ids })).map((each) => [each.id, each]));
  return ok({
    transitions: found.map((row) => transitionJson(row, byId.get(row.agentId ?? 0))),
    next: found.length === limit ? (found.at(-1)?.id ?? null) : null,
  });
}

async function decisions(
  store: Store,
  rights: Rights,
  { issue, page }: { readonly issue: string; readonly page: PageOf },
): Promise<Answer> {
  const match = /^([^#]+)#(\d+)$/.exec(issue);
  const name = match?.[1] === undefined ? undefined : parseFullName(match[1]);
  if (name === undefined)
    return { status: 400, body: { error: "invalid_argument", hint: "set ?issue=owner/repo%23N" } };
  const repository = await store.repositories.byName(name.owner, name.name);
  if (repository === undefined || !(await rights.mayRead(repository.id))) return NOT_FOUND;
  const where = { repositoryId: repository.id, issue: Number(match?.[2]) };
  const { rows, next } = await paged(page, (some) => store.lists.decisions(where, some));
  return ok({ decisions: rows.map(decisionJson), next });
}

import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Store } from "../core/ports/store.ts";
import { fullName, parseFullName } from "../core/repository.ts";
import type { TransitionRow } from "../core/rows.ts";
import type { RequestTarget } from "../server/request-target.ts";
import { type AgentReadParts, agentRead } from "./agent-reads.ts";
import { type Answer, NOT_FOUND, ok } from "./answer.ts";
import { effectsAsJson } from "./effect-json.ts";
import { findAgent } from "./find-agent.ts";
import { agentJson, decisionJson, deliveryJson, pauseJson, transitionJson } from "./json.ts";
import { overview, waitingList } from "./overview.ts";
import { PERIODS } from "./periods.ts";
import { placeView } from "./places.ts";
import { tasksAsJson } from "./task-json.ts";
import { mayKnow, type Rights, readable } from "./viewer.ts";

export interface ReadParts extends AgentReadParts {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const LIST_LIMIT = 200;
const DELIVERY_STATES = ["pending", "claimed", "done", "ignored", "dead"] as const;
const EFFECT_STATES = ["pending", "leased", "failed"] as const;

const NO_PERIOD: Answer = {
  status: 400,
  body: { error: "invalid_argument", hint: `ask with ?per=${PERIODS.join("|")}` },
};

/** `GET /api/…`: what this viewer may see of it. */
export async function read(
  parts: ReadParts,
  rights: Rights,
  { segments, query }: RequestTarget,
): Promise<Answer> {
  const { store } = parts;
  const path = segments.slice(1);
  const [what, id, more] = path;
  const asked = query.get("state");
  const mayRead = <Row extends { readonly repositoryId: number | null }>(rows: readonly Row[]) =>
    readable(rights, rows, ({ repositoryId }) => repositoryId);
  if (what === "agents" && id !== undefined && path.length <= 3)
    return agent(parts, rights, id, { more, query });
  if ((what === "repositories" || what === "goals") && id !== undefined) {
    const issue = what === "goals" ? Number(more) : null;
    const per = PERIODS.find((known) => known === (query.get("per") ?? "day"));
    if (per === undefined) return NO_PERIOD;
    const place = await placeView({ ...parts, per }, rights, id, issue);
    return place === null ? NOT_FOUND : ok(place);
  }
  if (path.length !== 1) return NOT_FOUND;
  switch (what) {
    case "overview":
      return ok(await overview(parts, rights, parts.now));
    case "waiting":
      return ok({ waiting: await waitingList(parts, rights) });
    case "agents":
      return agents(parts, rights, await mayRead(await store.records.find("agent", {})), asked);
    case "deliveries": {
      const state = DELIVERY_STATES.find((known) => known === asked);
      const rows = await store.deliveries.list(state === undefined ? {} : { state }, LIST_LIMIT);
      return ok({ deliveries: (await mayRead(rows)).map(deliveryJson) });
    }
    case "effects": {
      const state = EFFECT_STATES.find((known) => known === asked) ?? [...EFFECT_STATES];
      const rows = (await mayRead(await store.effects.find({ state }))).slice(-LIST_LIMIT);
      return ok({ effects: await effectsAsJson(store, rows.toReversed()) });
    }
    case "tasks": {
      const names = await mayRead(
        (await store.repositories.all()).map((each) => ({ ...each, repositoryId: each.id })),
      );
      const known = new Set(names.map(fullName));
      const rows = await tasksAsJson(store, asked === null ? null : [asked]);
      return ok({ tasks: rows.filter(({ repository }) => known.has(repository)) });
    }
    case "decisions":
      return decisions(store, rights, query.get("issue") ?? "");
    case "transitions": {
      const after = Number(query.get("after") ?? "0");
      const rows = await store.transitions.after(Number.isSafeInteger(after) ? after : 0, LIST_LIMIT);
      return ok({ transitions: await withAgents(store, await mayRead(rows)) });
    }
    default:
      return NOT_FOUND;
  }
}

async function agents(
  { store }: ReadParts,
  rights: Rights,
  rows: readonly AgentRecord[],
  state: string | null,
): Promise<Answer> {
  const pauses = await mayKnow(rights, await store.scopePauses.list());
  const shown = state === null ? rows : rows.filter((row) => row.state === state);
  return ok({
    agents: await Promise.all(shown.map((row) => agentAsJson(store, row))),
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
  if (more === undefined) return ok({ agent: await agentAsJson(store, row) });
  return agentRead(parts, row, more, query);
}

async function withAgents(store: Store, rows: readonly TransitionRow[]): Promise<readonly unknown[]> {
  const ids = [...new Set(rows.flatMap((row) => row.agentId ?? []))];
  const found = await store.records.find("agent", { id: ids });
  const byId = new Map(found.map((each) => [each.id, each]));
  return rows.map((row) => transitionJson(row, byId.get(row.agentId ?? 0)));
}

async function decisions(store: Store, rights: Rights, issue: string): Promise<Answer> {
  const match = /^([^#]+)#(\d+)$/.exec(issue);
  const name = match?.[1] === undefined ? undefined : parseFullName(match[1]);
  if (name === undefined)
    return { status: 400, body: { error: "invalid_argument", hint: "ask with ?issue=owner/repo%23N" } };
  const repository = await store.repositories.byName(name.owner, name.name);
  if (repository === undefined || !(await rights.mayRead(repository.id))) return NOT_FOUND;
  const rows = await store.decisions.ofIssue(repository.id, Number(match?.[2]), LIST_LIMIT);
  return ok({ decisions: rows.map(decisionJson) });
}

async function agentAsJson(store: Store, row: Parameters<typeof agentJson>[0]): Promise<unknown> {
  const repository = await store.repositories.get(row.repositoryId);
  const run = (await store.records.find("run", { agentId: row.id })).at(-1);
  return agentJson(row, repository, run);
}

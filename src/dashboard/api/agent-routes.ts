import { z } from "zod";
import { FILTER_KEYS, isByState, readFilter } from "../../domain/agents/agent-filter.ts";
import { SEARCH_ORDERS, SEARCH_STATES } from "../../domain/agents/agent-search.ts";
import { STATE_WORDS } from "../../domain/agents/state-words.ts";
import { type Answer, NOT_FOUND, ok } from "../../http/answer.ts";
import { mayKnow } from "../auth/viewer.ts";
import { agentRead } from "./agent-reads.ts";
import { findAgent, ofEngine } from "./agent-view.ts";
import {
  agentAnswer,
  agentSearchAnswer,
  agentsAnswer,
  agentViewAnswer,
  diffAnswer,
} from "./answers/agents.ts";
import { evidenceAnswer, handoffAnswer, screenPicture } from "./answers/evidence.ts";
import {
  decisionsAnswer,
  effectsAnswer,
  transcriptAnswer,
  transitionsOfAgentAnswer,
} from "./answers/rows.ts";
import { agentJson, pauseJson } from "./json.ts";
import { listed } from "./listed.ts";
import { cursorOf, NO_PAGE, PAGING, pageOf } from "./paging.ts";
import type { ApiParts, ViewerAsked } from "./parts.ts";
import { oneOf, type QueryParameter } from "./query-parameter.ts";
import { type ApiRoute, invalid } from "./route.ts";
import { PICTURE, screenPictureRead } from "./screen-picture.ts";
import { searchAgents } from "./search-agents.ts";

/** What `readFilter` reads; it says itself what is wrong. */
const filtered = (about: string): QueryParameter => ({ about, schema: z.string(), hint: about });

const FROM_ID: QueryParameter = {
  about: "`next` of the previous page; left out or 0 for the beginning.",
  schema: z.int().min(0),
  hint: "set ?after= to the `next` of the previous page, or to 0 for the beginning",
};
const LATEST = oneOf("order", ["latest"], "`latest`: the latest first.");

/** Agents: the list, and each of them. */
export const AGENT_ROUTES: readonly ApiRoute[] = [
  {
    method: "get",
    path: "/api/agents",
    name: "agents",
    summary:
      "Agents that match everything asked for, in the order of their creation; those of one state by how long they have been in it. A page may be short although another follows.",
    group: "agents",
    query: {
      ...PAGING,
      state: filtered(`One of ${STATE_WORDS.join(", ")}.`),
      tag: filtered("A tag; several with commas between them."),
      label: filtered("key=value; several with commas between them."),
      role: filtered("A role."),
      mode: filtered("continuous or one_shot."),
      by: filtered("Who had it created: a login, or operator:<account>."),
    },
    answer: agentsAnswer,
    run: listed(agents),
  },
  {
    method: "get",
    path: "/api/agent-search",
    name: "searchAgents",
    summary:
      "Agents that a person looks for, with their limits and titles. A page may be short although another follows; by cost only the latest 2,000 agents are sorted.",
    group: "agents",
    query: {
      ...PAGING,
      q: {
        about:
          "Words, all of which an agent must match: number or title of its issue, role, repository, or the login of who had it started.",
        schema: z.string().max(200),
        hint: "set ?q= to at most 200 characters",
      },
      ...oneOf(
        "state",
        SEARCH_STATES,
        "`live`: those that have not ended, as where it is left out; `ended`, `any`, or one state.",
      ),
      repository: {
        about: "Only this one, owner/name.",
        schema: z.string(),
        hint: "set ?repository=owner%2Fname",
      },
      role: filtered("A role."),
      ...oneOf("order", SEARCH_ORDERS, "`latest` where it is left out."),
    },
    answer: agentSearchAnswer,
    run: listed(searchAgents),
  },
  {
    method: "get",
    path: "/api/agents/{id}",
    name: "agent",
    summary: "One agent.",
    group: "agents",
    answer: agentAnswer,
    run: agent,
  },
  {
    method: "get",
    path: "/api/agents/{id}/view",
    name: "agentView",
    summary: "One agent with what it waits for, its limits and its plan.",
    group: "agents",
    answer: agentViewAnswer,
    run: ofAgent("view"),
  },
  {
    method: "get",
    path: "/api/agents/{id}/transitions",
    name: "transitionsOfAgent",
    summary: "The moves of an agent, its run and its conversation, each with its reason.",
    group: "agents",
    query: { ...PAGING, ...LATEST },
    answer: transitionsOfAgentAnswer,
    run: ofAgent("transitions"),
  },
  {
    method: "get",
    path: "/api/agents/{id}/decisions",
    name: "decisionsOfAgent",
    summary: "What was decided about an agent, the latest first, each with what would change it.",
    group: "agents",
    query: PAGING,
    answer: decisionsAnswer,
    run: ofAgent("decisions"),
  },
  {
    method: "get",
    path: "/api/agents/{id}/effects",
    name: "effectsOfAgent",
    summary: "What was done for an agent on GitHub and in git, the latest first.",
    group: "agents",
    query: PAGING,
    answer: effectsAnswer,
    run: ofAgent("effects"),
  },
  {
    method: "get",
    path: "/api/agents/{id}/transcript",
    name: "transcript",
    summary:
      "What an agent said, called and met, oldest first, at most 1000 events. `/api/events` streams them.",
    group: "agents",
    query: { after: FROM_ID },
    answer: transcriptAnswer,
    run: ofAgent("transcript"),
  },
  {
    method: "get",
    path: "/api/agents/{id}/evidence",
    name: "evidence",
    summary:
      "What Flotilla itself found out about an agent's work: commands that it ran, what claims lacked, checks and reviews, the latest first, at most 100 of each; and pictures of the app.",
    group: "agents",
    answer: evidenceAnswer,
    run: ofAgent("evidence"),
  },
  {
    method: "get",
    path: "/api/agents/{id}/screens/{screen}/{picture}",
    name: "screenPicture",
    summary: "A picture of the app before or after an agent's work, or of the pixels that differ.",
    group: "agents",
    answer: screenPicture,
    media: PICTURE,
    run: picture,
  },
  {
    method: "get",
    path: "/api/agents/{id}/handoff",
    name: "handoff",
    summary: "What a person needs to continue an agent's work: commands, and a text for another agent.",
    group: "agents",
    answer: handoffAnswer,
    run: ofAgent("handoff"),
  },
  {
    method: "get",
    path: "/api/agents/{id}/diff",
    name: "diff",
    summary: "What an agent's branch has changed since its base, or why that cannot be shown.",
    group: "agents",
    answer: diffAnswer,
    run: async (parts, asked) => {
      const row = await readableAgent(parts, asked);
      return row === undefined ? NOT_FOUND : ok({ diff: await parts.diff(row) });
    },
  },
];

async function picture(parts: ApiParts, asked: ViewerAsked): Promise<Answer> {
  const row = await readableAgent(parts, asked);
  return row === undefined ? NOT_FOUND : screenPictureRead(parts.store, row.id, asked.at);
}

async function agents(parts: ApiParts, { rights, query }: ViewerAsked): Promise<Answer> {
  const { store } = parts;
  const filter = readFilter(
    Object.fromEntries(
      FILTER_KEYS.flatMap((key) => (query.has(key) ? [[key, query.getAll(key).join()]] : [])),
    ),
  );
  if ("fault" in filter) return invalid(`?${filter.key}= ${filter.fault}`);
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

async function agent(parts: ApiParts, asked: ViewerAsked): Promise<Answer> {
  const { store } = parts;
  const row = await readableAgent(parts, asked);
  if (row === undefined) return NOT_FOUND;
  const repository = await store.repositories.get(row.repositoryId);
  const around = (await store.lists.around([row])).get(row.id);
  return around === undefined
    ? NOT_FOUND
    : ok({ agent: agentJson(row, repository, ofEngine(parts, row, repository, around)) });
}

/** Returns the read of what the database holds about one agent. */
function ofAgent(what: string): (parts: ApiParts, asked: ViewerAsked) => Promise<Answer> {
  return async (parts, asked) => {
    const row = await readableAgent(parts, asked);
    return row === undefined ? NOT_FOUND : parts.turns.take(() => agentRead(parts, row, what, asked.query));
  };
}

async function readableAgent({ store }: ApiParts, { at, rights }: ViewerAsked) {
  const row = await findAgent(store, at["id"] ?? "");
  return row !== undefined && (await rights.mayRead(row.repositoryId)) ? row : undefined;
}

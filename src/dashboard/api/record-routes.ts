import { z } from "zod";
import { parseFullName } from "../../domain/kernel/repository.ts";
import { type Answer, NOT_FOUND, ok } from "../../http/answer.ts";
import {
  decisionsAnswer,
  deliveriesAnswer,
  effectsAnswer,
  runEvent,
  transitionsAnswer,
} from "./answers/rows.ts";
import { repositoryNames } from "./goal-json.ts";
import { decisionJson, deliveryJson, effectJson, transitionJson } from "./json.ts";
import { listed } from "./listed.ts";
import { NO_PAGE, PAGING, paged, pageOf } from "./paging.ts";
import type { ApiParts, ViewerAsked } from "./parts.ts";
import { oneOf } from "./query-parameter.ts";
import type { ApiRoute } from "./route.ts";
import { streamed } from "./streamed.ts";

const DELIVERY_STATES = ["pending", "claimed", "done", "ignored", "dead"] as const;
const EFFECT_STATES = ["pending", "leased", "failed"] as const;
const OF_ISSUE = /^([^#]+)#(\d+)$/;
const CURSOR = { schema: z.int().min(0), hint: "set ?after= to the `next` of the previous page" };

/** What Flotilla has recorded. */
export const RECORD_ROUTES: readonly ApiRoute[] = [
  {
    method: "get",
    path: "/api/decisions",
    name: "decisions",
    summary: "What was decided about an issue, the latest first, each with what would change it.",
    group: "records",
    query: {
      ...PAGING,
      issue: {
        about: "The issue, owner/name#number.",
        schema: z.string().refine((text) => issueOf(text) !== undefined),
        hint: "set ?issue=owner/repo%23N",
        required: true,
      },
    },
    answer: decisionsAnswer,
    run: listed(decisions),
  },
  {
    method: "get",
    path: "/api/transitions",
    name: "transitions",
    summary: "Moves of all machines, oldest first. The cursor is the id of the last one, to follow new ones.",
    group: "records",
    query: {
      limit: { ...PAGING.limit, about: "Number of rows, 200 where it is left out." },
      after: { ...CURSOR, about: "The id of the last one that you have." },
    },
    answer: transitionsAnswer,
    run: listed(transitions),
  },
  {
    method: "get",
    path: "/api/effects",
    name: "effects",
    summary: "Writes on GitHub and in git that are not done: pending, under way or failed; the latest first.",
    group: "records",
    query: {
      ...PAGING,
      ...oneOf("state", EFFECT_STATES, "Only those in this state."),
      ...oneOf(
        "of",
        ["notices", "others"],
        "`notices`: only those to receivers outside of GitHub; `others`: the rest.",
      ),
    },
    answer: effectsAnswer,
    run: listed(effects),
  },
  {
    method: "get",
    path: "/api/deliveries",
    name: "deliveries",
    summary: "Webhooks with their outcome, the latest first.",
    group: "records",
    query: { ...PAGING, ...oneOf("state", DELIVERY_STATES, "Only those in this state.") },
    answer: deliveriesAnswer,
    run: listed(deliveries),
  },
  {
    method: "get",
    path: "/api/events",
    name: "events",
    summary:
      "Streams the events of agents as server-sent events, from the cursor on. Last-Event-ID, as browsers send it, has precedence over ?after=.",
    group: "records",
    query: {
      after: {
        ...CURSOR,
        hint: "set Last-Event-ID or ?after= to the id of an event",
        about: "The id of the last event that you have; left out: only new events.",
      },
      agent: {
        about: "Only those of this agent, by its key.",
        schema: z.string(),
        hint: "set ?agent= to a key",
      },
    },
    answer: runEvent,
    streams: true,
    run: streamed,
  },
];

async function effects({ store }: ApiParts, { rights, query }: ViewerAsked): Promise<Answer> {
  const page = pageOf(query, 1);
  if (page === null) return NO_PAGE;
  const repositories = await rights.repositories();
  const state = EFFECT_STATES.find((known) => known === query.get("state"));
  const states = state === undefined ? EFFECT_STATES : [state];
  const of = query.get("of");
  const wanted = { states, repositories, ...(of === null ? {} : { notices: of === "notices" }) };
  const { rows, next } = await paged(page, (some) => store.lists.effects(wanted, some));
  const nameOf = await repositoryNames(store);
  return ok({ effects: rows.map((row) => effectJson(row, nameOf(row.effect.repositoryId))), next });
}

async function deliveries({ store }: ApiParts, { rights, query }: ViewerAsked): Promise<Answer> {
  const page = pageOf(query, 1);
  if (page === null) return NO_PAGE;
  const repositories = await rights.repositories();
  const state = DELIVERY_STATES.find((known) => known === query.get("state")) ?? null;
  const { rows, next } = await paged(page, (some) => store.lists.deliveries({ state, repositories }, some));
  return ok({ deliveries: rows.map(deliveryJson), next });
}

async function transitions({ store }: ApiParts, { rights, query }: ViewerAsked): Promise<Answer> {
  const limit = Number(query.get("limit") ?? "200");
  const repositories = await rights.repositories();
  const page = { after: [Number(query.get("after") ?? "0")], limit };
  const found = (await store.lists.transitions({ repositories }, page)).map(({ row }) => row);
  const ids = [...new Set(found.flatMap((row) => row.agentId ?? []))];
  const byId = new Map((await store.records.find("agent", { id: ids })).map((each) => [each.id, each]));
  return ok({
    transitions: found.map((row) => transitionJson(row, byId.get(row.agentId ?? 0))),
    next: found.length === limit ? (found.at(-1)?.id ?? null) : null,
  });
}

async function decisions({ store }: ApiParts, { rights, query }: ViewerAsked): Promise<Answer> {
  const page = pageOf(query, 1);
  if (page === null) return NO_PAGE;
  const named = issueOf(query.get("issue") ?? "");
  const repository = named && (await store.repositories.byName(named.owner, named.name));
  if (named === undefined || repository === undefined || !(await rights.mayRead(repository.id)))
    return NOT_FOUND;
  const where = { repositoryId: repository.id, issue: named.issue };
  const { rows, next } = await paged(page, (some) => store.lists.decisions(where, some));
  return ok({ decisions: rows.map(decisionJson), next });
}

function issueOf(text: string) {
  const [, repository = "", issue] = OF_ISSUE.exec(text) ?? [];
  const name = parseFullName(repository);
  return name === undefined ? undefined : { ...name, issue: Number(issue) };
}

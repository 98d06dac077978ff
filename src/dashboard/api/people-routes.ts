import { z } from "zod";
import { agentKey as keyOfAgent } from "../../domain/agents/agent-key.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import { PERSONS_ACT_KINDS, type PersonsAct } from "../../domain/reporting/persons-act.ts";
import { type Answer, NOT_FOUND, ok } from "../../http/answer.ts";
import { agentKey, issue, page, repository, text, time } from "./answers/fields.ts";
import { repositoryNames } from "./goal-json.ts";
import { listed } from "./listed.ts";
import { NO_PAGE, PAGING, paged, pageOf } from "./paging.ts";
import type { ApiParts, ViewerAsked } from "./parts.ts";
import { oneOf } from "./query-parameter.ts";
import type { ApiRoute } from "./route.ts";

const personsAct = z.strictObject({
  at: time(),
  by: text().describe("A login, or `operator:<account>`."),
  kind: z.enum(PERSONS_ACT_KINDS),
  what: text().describe("What the person did, as the rest of a sentence."),
  detail: text().nullable().describe("Their words, or the reason that was recorded."),
  repository: repository().nullable().describe("Null for what concerns no single repository."),
  issue: issue().nullable(),
  agent: agentKey().nullable(),
  via: z
    .enum(["github", "dashboard", "command line"])
    .nullable()
    .describe("Where it was done, programs with a token as the dashboard; null where that was not recorded."),
});

/** What people did. */
export const PEOPLE_ROUTES: readonly ApiRoute[] = [
  {
    method: "get",
    path: "/api/acts",
    name: "acts",
    summary:
      "What people did, the latest first: starts, pauses, approvals, answers, raised limits, reviews, merges.",
    group: "records",
    query: {
      ...PAGING,
      ...oneOf("kind", PERSONS_ACT_KINDS, "Only acts of this kind."),
      by: {
        about: "Only those of this person: a login, or operator:<account>.",
        schema: z.string().min(1).max(100),
        hint: "set ?by= to a login",
      },
      repository: {
        about: "Only in this one, owner/name.",
        schema: z.string(),
        hint: "set ?repository=owner%2Fname",
      },
    },
    answer: page({ acts: z.array(personsAct) }),
    run: listed(acts),
  },
];

async function acts({ store }: ApiParts, { rights, query }: ViewerAsked): Promise<Answer> {
  const asked = pageOf(query, 3);
  if (asked === null) return NO_PAGE;
  const mine = await rights.repositories();
  const named = query.get("repository");
  const name = named === null ? undefined : parseFullName(named);
  const only = name && (await store.repositories.byName(name.owner, name.name));
  if (named !== null && (only === undefined || mine?.includes(only.id) === false)) return NOT_FOUND;
  const wanted = {
    kind: PERSONS_ACT_KINDS.find((kind) => kind === query.get("kind")) ?? null,
    by: query.get("by"),
    repositories: only === undefined ? mine : [only.id],
  };
  const { rows, next } = await paged(asked, (some) => store.lists.personsActs(wanted, some));
  const nameOf = await repositoryNames(store);
  return ok({ acts: rows.map((row) => personsActJson(row, nameOf)), next });
}

function personsActJson(act: PersonsAct, nameOf: (id: number) => string) {
  const place = act.repositoryId === null ? null : nameOf(act.repositoryId);
  return {
    at: new Date(act.at).toISOString(),
    by: act.by,
    kind: act.kind,
    what: act.what,
    detail: act.detail,
    repository: place,
    issue: act.issue === 0 ? null : act.issue,
    agent: act.agent === null || place === null ? null : keyOfAgent(place, act.agent),
    via: act.via,
  };
}

export type PersonsActJson = ReturnType<typeof personsActJson>;

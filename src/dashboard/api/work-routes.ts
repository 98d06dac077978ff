import { z } from "zod";
import { mergesItself } from "../../domain/access/level-of.ts";
import { LEDGER_KEYS } from "../../domain/reporting/ledger.ts";
import { TASK_STATES } from "../../domain/tasks/task-record.ts";
import { type Answer, NOT_FOUND, ok } from "../../http/answer.ts";
import {
  costsAnswer,
  goalsAnswer,
  ledgerAnswer as ledgerPage,
  placeAnswer,
  tasksAnswer,
} from "./answers/work.ts";
import { costs } from "./costs.ts";
import { goalJson, repositoryNames, taskJson } from "./goal-json.ts";
import { LEDGER_HINT, ledgerAnswer, MOST_DAYS } from "./ledger.ts";
import { listed } from "./listed.ts";
import { NO_PAGE, PAGING, paged, pageOf } from "./paging.ts";
import type { ApiParts, ViewerAsked } from "./parts.ts";
import { PERIODS } from "./periods.ts";
import { oneOf, type QueryParameter } from "./query-parameter.ts";
import type { ApiRoute } from "./route.ts";
import { scopeView } from "./scope-pages.ts";

const PER: QueryParameter = {
  about: "What a bar of the figures covers; `day` where it is left out.",
  schema: z.enum(PERIODS),
  hint: `set ?per=${PERIODS.join("|")}`,
};

/** Tasks, goals, repositories, and what they cost. */
export const WORK_ROUTES: readonly ApiRoute[] = [
  {
    method: "get",
    path: "/api/tasks",
    name: "tasks",
    summary: "The work on issues, in the order in which it was created.",
    group: "work",
    query: {
      ...PAGING,
      ...oneOf("state", TASK_STATES, "Only those in this state."),
      ...oneOf("order", ["latest"], "`latest`: the latest first."),
    },
    answer: tasksAnswer,
    run: listed(tasks),
  },
  {
    method: "get",
    path: "/api/goals",
    name: "goals",
    summary: "Goals, and sprints without a goal; the latest first.",
    group: "work",
    query: {
      ...PAGING,
      ...oneOf("state", ["open", "any"], "`any`: also those that have ended; `open` where it is left out."),
    },
    answer: goalsAnswer,
    run: listed(goals),
  },
  {
    method: "get",
    path: "/api/repositories/{name}",
    name: "repository",
    summary: "A repository: its agents, its work, its own configuration, and its figures.",
    group: "work",
    query: { per: PER },
    answer: placeAnswer,
    run: (parts, asked) => place(parts, asked, null),
  },
  {
    method: "get",
    path: "/api/goals/{name}/{issue}",
    name: "goal",
    summary: "The goal that an issue tracks: its agents, its work and its figures.",
    group: "work",
    query: { per: PER },
    answer: placeAnswer,
    run: (parts, asked) => place(parts, asked, Number(asked.at["issue"])),
  },
  {
    method: "get",
    path: "/api/costs",
    name: "costs",
    summary: "What the work of the repositories that you may read cost, against the budgets that limit it.",
    group: "work",
    query: {
      days: {
        about: "Days in UTC, up to today; 30 where it is left out.",
        schema: z.int().min(1).max(MOST_DAYS),
        hint: `set ?days=1 to ${MOST_DAYS}`,
      },
    },
    answer: costsAnswer,
    run: async (parts, { rights, query }) =>
      ok(await costs(parts, await rights.repositories(), Number(query.get("days") ?? 30))),
  },
  {
    method: "get",
    path: "/api/ledger",
    name: "ledger",
    summary: "What the work cost, and what came of it. Without a repository only the operator may ask.",
    group: "work",
    query: {
      ...PAGING,
      by: {
        about: "What a line is about; `day` where it is left out.",
        schema: z.enum(LEDGER_KEYS),
        hint: LEDGER_HINT,
      },
      days: {
        about: "Days in UTC, up to today; 30 where it is left out.",
        schema: z.int().min(1).max(MOST_DAYS),
        hint: LEDGER_HINT,
      },
      repository: {
        about: "Only this one, owner/name.",
        schema: z.string(),
        hint: "set ?repository=owner%2Fname",
      },
    },
    answer: ledgerPage,
    run: (parts, { rights, query }) => ledgerAnswer(parts, rights, query, parts.now),
  },
];

async function tasks({ store, settings }: ApiParts, { rights, query }: ViewerAsked): Promise<Answer> {
  const page = pageOf(query, 1);
  if (page === null) return NO_PAGE;
  const repositories = await rights.repositories();
  const state = TASK_STATES.find((known) => known === query.get("state")) ?? null;
  const latestFirst = query.get("order") === "latest";
  const { rows, next } = await paged(page, (some) =>
    store.lists.tasks({ state, repositories, latestFirst }, some),
  );
  const nameOf = await repositoryNames(store);
  return ok({
    tasks: rows.map((row) => {
      const name = nameOf(row.task.repositoryId);
      return taskJson(row, name, mergesItself(settings, name));
    }),
    next,
  });
}

async function goals({ store }: ApiParts, { rights, query }: ViewerAsked): Promise<Answer> {
  const page = pageOf(query, 3);
  if (page === null) return NO_PAGE;
  const repositories = await rights.repositories();
  const open = query.get("state") !== "any";
  const { rows, next } = await paged(page, (some) => store.plans.list({ open, repositories }, some));
  const nameOf = await repositoryNames(store);
  return ok({ goals: rows.map((row) => goalJson(row, nameOf(row.repositoryId))), next });
}

async function place(
  parts: ApiParts,
  { rights, at, query }: ViewerAsked,
  issue: number | null,
): Promise<Answer> {
  const per = PERIODS.find((known) => known === query.get("per")) ?? "day";
  await rights.repositories();
  const found = await scopeView({ ...parts, per }, rights, at["name"] ?? "", issue);
  return found === null ? NOT_FOUND : ok(found);
}

import { ok } from "../../http/answer.ts";
import { agentViewsAnswer, waitingAnswer } from "./answers/agents.ts";
import { firstStepsAnswer, overviewAnswer } from "./answers/work.ts";
import { firstSteps } from "./first-steps.ts";
import { listed } from "./listed.ts";
import { endedAgents, liveAgents, overview, waitingList } from "./overview.ts";
import { NO_PAGE, PAGING, pageOf } from "./paging.ts";
import type { ApiRoute } from "./route.ts";

/** The overview, and the rest of its lists. */
export const OVERVIEW_ROUTES: readonly ApiRoute[] = [
  {
    method: "get",
    path: "/api/overview",
    name: "overview",
    summary: "The overview in one answer: totals, and the first page of each list.",
    group: "overview",
    answer: overviewAnswer,
    run: listed(async (parts, { rights }) => ok(await overview(parts, rights, parts.now))),
  },
  {
    method: "get",
    path: "/api/first-steps",
    name: "firstSteps",
    summary:
      "How far a new Flotilla is: the App, a webhook, labels, an agent, the model. Only for the operator.",
    group: "overview",
    answer: firstStepsAnswer,
    run: firstSteps,
  },
  {
    method: "get",
    path: "/api/waiting",
    name: "waiting",
    summary: "What waits for people, oldest first. A page has everything that its agents wait for.",
    group: "overview",
    query: PAGING,
    answer: waitingAnswer,
    run: listed(async (parts, { rights, query }) => {
      const page = pageOf(query, 3);
      if (page === null) return NO_PAGE;
      const { rows, next } = await waitingList(parts, rights, page);
      return ok({ waiting: rows, next });
    }),
  },
  {
    method: "get",
    path: "/api/live-agents",
    name: "liveAgents",
    summary: "Agents that have not ended, as the overview lists them: its `agents_next` is the first cursor.",
    group: "overview",
    query: PAGING,
    answer: agentViewsAnswer,
    run: listed(async (parts, { rights, query }) => {
      const page = pageOf(query, 3);
      if (page === null) return NO_PAGE;
      const { rows, next } = await liveAgents(parts, rights, page);
      return ok({ agents: rows, next });
    }),
  },
  {
    method: "get",
    path: "/api/ended-agents",
    name: "endedAgents",
    summary:
      "Agents that ended within a day, the latest first: `ended_next` of the overview is the first cursor.",
    group: "overview",
    query: PAGING,
    answer: agentViewsAnswer,
    run: listed(async (parts, { rights, query }) => {
      const page = pageOf(query, 2);
      if (page === null) return NO_PAGE;
      const { rows, next } = await endedAgents(parts, rights, { page, now: parts.now });
      return ok({ agents: rows, next });
    }),
  },
];

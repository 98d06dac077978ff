import { z } from "zod";
import { ok } from "../../http/answer.ts";
import { ACT_ROUTES } from "./acts.ts";
import { AGENT_ROUTES } from "./agent-routes.ts";
import { openApi } from "./openapi.ts";
import { OVERVIEW_ROUTES } from "./overview-routes.ts";
import { PEOPLE_ROUTES } from "./people-routes.ts";
import { RECORD_ROUTES } from "./record-routes.ts";
import type { ApiRoute } from "./route.ts";
import { SCHEDULE_ROUTES } from "./schedule-routes.ts";
import { SETTINGS_ROUTES } from "./settings-routes.ts";
import { SYSTEM_ROUTES } from "./system-routes.ts";
import { TOKEN_ROUTES } from "./token-routes.ts";
import { WORK_ROUTES } from "./work-routes.ts";

let document: object | undefined;

/** Everything that is served below `/api`, and health: what has no route here is answered 404. */
export const ROUTES: readonly ApiRoute[] = [
  ...SYSTEM_ROUTES,
  {
    method: "get",
    path: "/api/openapi.json",
    name: "openApi",
    summary: "This document.",
    group: "system",
    answer: z.record(z.string(), z.unknown()),
    run: async () => ok((document ??= openApi(ROUTES))),
  },
  ...TOKEN_ROUTES,
  ...OVERVIEW_ROUTES,
  ...AGENT_ROUTES,
  ...WORK_ROUTES,
  ...SCHEDULE_ROUTES,
  ...RECORD_ROUTES,
  ...PEOPLE_ROUTES,
  ...SETTINGS_ROUTES,
  ...ACT_ROUTES,
];

import { z } from "zod";
import { ok } from "../../http/answer.ts";
import { count, repository, text, timeOrNull } from "./answers/fields.ts";
import { listed } from "./listed.ts";
import type { ApiRoute } from "./route.ts";
import { schedulesJson } from "./schedule-json.ts";

const schedule = z.strictObject({
  name: text(),
  repository: repository(),
  role: text(),
  title: text().describe("Title of the issues that it opens."),
  cron: text(),
  words: text().nullable().describe("The cron line in words; null where it has no short ones."),
  time_zone: text().describe("Where the times of the cron line hold."),
  next: timeOrNull().describe("When it comes next, with its jitter."),
  last: timeOrNull(),
  outcome: z
    .enum(["opened", "skipped", "failed", "waits"])
    .nullable()
    .describe("What came of the last time."),
  issue: count().nullable().describe("The issue that it opened, or the open one that kept it from that."),
  note: text().nullable().describe("What came of the last time, in words."),
  known: z
    .boolean()
    .describe("False until a webhook of its repository has arrived: it cannot begin before that."),
  paused: z.boolean().describe("A pause holds it up: it begins when that ends."),
});

/** The schedules of the configuration, of which there are 50 at most. */
export const SCHEDULE_ROUTES: readonly ApiRoute[] = [
  {
    method: "get",
    path: "/api/schedules",
    name: "schedules",
    summary: "Schedules: when each comes next, and what came of the last time.",
    group: "work",
    answer: z.strictObject({ schedules: z.array(schedule) }),
    run: listed(async ({ store, settings, now }, { rights }) =>
      ok({ schedules: await schedulesJson(store, settings, now, await rights.repositories()) }),
    ),
  },
];

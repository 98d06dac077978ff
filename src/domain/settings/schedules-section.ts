import { Cron } from "croner";
import { z } from "zod";
import { duration } from "./duration.ts";
import { object, setting, type Values } from "./keys.ts";
import { timeZone } from "./notices-section.ts";

const MOST = 50;

const scheduleKeys = {
  repository: setting(
    "repository",
    z.string().regex(/^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/, { error: "write owner/name, such as acme/shop" }),
    { description: "Where the issue is opened." },
  ),
  cron: setting("cron", z.string().superRefine(cronFault), {
    description: "When: minute, hour, day of the month, month and day of the week, such as `0 6 * * 1`.",
  }),
  timeZone: setting("time_zone", timeZone(), { description: "Where these times hold.", default: "UTC" }),
  jitter: setting("jitter", duration().optional(), {
    description:
      "Each schedule begins up to this much later, always by the same part of it, so that many do not begin at once.",
  }),
  role: setting("role", z.string().min(1), { description: "The role of the agent that works on the issue." }),
  title: setting("title", z.string().min(1).max(200), { description: "Title of the issue." }),
  body: setting("body", z.string().min(1).max(20_000), { description: "What the agent is to do." }),
};

function cronFault(pattern: string, context: z.RefinementCtx<string>): void {
  const message = faultOf(pattern);
  if (message !== null) context.addIssue({ code: "custom", message });
}

function faultOf(pattern: string): string | null {
  if (pattern.trim().split(/\s+/).length !== 5)
    return "write five fields: minute, hour, day of the month, month, day of the week, such as 0 6 * * 1";
  try {
    return new Cron(pattern, { mode: "5-part" }).nextRun(new Date(0)) === null
      ? "names a time that never comes"
      : null;
  } catch {
    return "cannot be read; write five fields such as 0 6 * * 1, for Mondays at 6:00";
  }
}

const scheduleName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, {
  error: "write a name in lower case, such as weekly-update: at most 40 letters, digits and hyphens",
});

export const schedules = setting(
  "schedules",
  z
    .record(scheduleName, object(scheduleKeys))
    .refine((all) => Object.keys(all).length <= MOST, {
      error: `names more than ${MOST} schedules; leave some out`,
    })
    .meta({ maxProperties: MOST }),
  {
    description:
      "Work that comes again, by name: at each time an issue is opened, and an agent starts on it. See docs/schedules.md.",
    default: {},
  },
);

export type Schedule = Values<typeof scheduleKeys>;

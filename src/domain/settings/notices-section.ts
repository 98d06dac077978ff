import { Cron } from "croner";
import { z } from "zod";
import { duration } from "./duration.ts";
import { object, setting, type Values } from "./keys.ts";

/** Events that notices are sent for; docs/notices.md describes each. */
export const noticeEvent = z.enum([
  "question",
  "approval",
  "limit",
  "escalated",
  "ready",
  "merged",
  "incident",
]);

export type NoticeEvent = z.infer<typeof noticeEvent>;

const MOST = 20;

const variable = (what: string) =>
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    error: `write the name of an environment variable, never the ${what} itself`,
  });

const timeOfDay = () =>
  z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: 'write a time such as "22:00", in quotes' });

/** A time zone of the IANA database, such as `Europe/Berlin`. */
export const timeZone = () =>
  z.string().refine(isTimeZone, { error: "write a time zone such as Europe/Berlin or America/New_York" });

function isTimeZone(name: string): boolean {
  try {
    return new Cron("0 0 * * *", { timezone: name }).nextRun(new Date(0)) !== null;
  } catch {
    return false;
  }
}

const quiet = object(
  {
    from: setting("from", timeOfDay(), { description: "When it begins." }),
    to: setting("to", timeOfDay(), { description: "When it ends; what waited is sent then." }),
    timeZone: setting("time_zone", timeZone(), { description: "Where these times hold.", default: "UTC" }),
  },
  ({ from, to }, context) => {
    if (from === to)
      context.addIssue({ code: "custom", path: ["to"], message: "is the same time as from; write another" });
  },
);

const receiverKeys = {
  urlEnv: setting("url_env", variable("address"), {
    description: "Name of the environment variable that holds the address to which notices are posted.",
  }),
  format: setting("format", z.enum(["standard", "slack", "discord"]), {
    description:
      "`slack` and `discord` are for their incoming webhooks. `standard` is JSON for your own programs, signed as Standard Webhooks describes.",
    default: "standard",
  }),
  secretEnv: setting("secret_env", variable("secret").optional(), {
    description:
      "Name of the environment variable that holds the key of the signature, `whsec_` and base64. `standard` needs it.",
  }),
  events: setting("events", z.array(noticeEvent).min(1), {
    description: "Events that this receiver is sent.",
    default: noticeEvent.options,
  }),
  digestMs: setting("digest", duration().optional(), {
    description: "How long notices are collected, to be sent as one. Each is sent at once when left out.",
  }),
  quiet: setting("quiet", quiet.optional(), {
    description: "Hours of each day in which nothing is sent.",
  }),
};

const receiver = object(receiverKeys, ({ format, secretEnv }, context) => {
  if (format === "standard" && secretEnv === undefined)
    context.addIssue({
      code: "custom",
      path: ["secret_env"],
      message: "is missing; name the variable that holds the key, or choose another format",
    });
  if (format !== "standard" && secretEnv !== undefined)
    context.addIssue({
      code: "custom",
      path: ["secret_env"],
      message: `goes with the format standard; ${format} checks no signature, so take it out`,
    });
});

const receiverName = z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, {
  error: "write a name in lower case, such as team: at most 30 letters, digits and hyphens",
});

export const notices = setting(
  "notices",
  z
    .record(receiverName, receiver)
    .refine((all) => Object.keys(all).length <= MOST, {
      error: `names more than ${MOST} receivers; leave some out`,
    })
    .meta({ maxProperties: MOST }),
  {
    description: "Receivers of notices outside GitHub, such as chat channels, by name. See docs/notices.md.",
    default: {},
  },
);

export type NoticeReceiver = Values<typeof receiverKeys>;
export type QuietHours = NonNullable<NoticeReceiver["quiet"]>;

import type { Config } from "../../src/config/load-config.ts";
import type { KeyInForce } from "./keys-in-force.ts";

const SET =
  'schedules: { weekly: { repository: acme/app, cron: "0 6 * * 1", time_zone: Europe/Berlin, jitter: 5m, role: triage, title: Update, body: All. } }';
const weekly = (config: Config) => config.schedules["weekly"];

/** Keys of schedules. */
export const SCHEDULE_KEYS_IN_FORCE: readonly KeyInForce[] = [
  { key: "schedules", set: SET, read: (c) => Object.keys(c.schedules), expected: ["weekly"] },
  { key: "schedules.*.repository", set: SET, read: (c) => weekly(c)?.repository, expected: "acme/app" },
  { key: "schedules.*.cron", set: SET, read: (c) => weekly(c)?.cron, expected: "0 6 * * 1" },
  { key: "schedules.*.time_zone", set: SET, read: (c) => weekly(c)?.timeZone, expected: "Europe/Berlin" },
  { key: "schedules.*.jitter", set: SET, read: (c) => weekly(c)?.jitter, expected: 300_000 },
  { key: "schedules.*.role", set: SET, read: (c) => weekly(c)?.role, expected: "triage" },
  { key: "schedules.*.title", set: SET, read: (c) => weekly(c)?.title, expected: "Update" },
  { key: "schedules.*.body", set: SET, read: (c) => weekly(c)?.body, expected: "All." },
];

import type { Config } from "../../src/config/load-config.ts";
import type { KeyInForce } from "./keys-in-force.ts";

const receiver = (more = "") => `notices: { team: { url_env: TEAM_URL, format: slack, ${more} } }`;
const team = (config: Config) => config.notices["team"];

/** Keys of the receivers of notices. */
export const NOTICE_KEYS_IN_FORCE: readonly KeyInForce[] = [
  { key: "notices", set: receiver(), read: (c) => Object.keys(c.notices), expected: ["team"] },
  {
    key: "notices.*.url_env",
    set: receiver(),
    read: (c) => c.secrets.noticeAddresses.get("team")?.url,
    expected: "https://hooks.example.com/team",
  },
  { key: "notices.*.format", set: receiver(), read: (c) => team(c)?.format, expected: "slack" },
  {
    key: "notices.*.secret_env",
    set: "notices: { team: { url_env: TEAM_URL, secret_env: TEAM_KEY } }",
    read: (c) => c.secrets.noticeAddresses.get("team")?.secret,
    expected: Buffer.from("a key of thirty-two bytes, or so").toString("base64"),
  },
  {
    key: "notices.*.events",
    set: receiver("events: [merged]"),
    read: (c) => team(c)?.events,
    expected: ["merged"],
  },
  {
    key: "notices.*.digest",
    set: receiver("digest: 1h"),
    read: (c) => team(c)?.digestMs,
    expected: 3_600_000,
  },
  ...(["from", "to", "time_zone"] as const).map((key) => ({
    key: `notices.*.quiet.${key}`,
    set: receiver('quiet: { from: "22:00", to: "07:00", time_zone: Europe/Berlin }'),
    read: (c: Config) => team(c)?.quiet?.[key === "time_zone" ? "timeZone" : key],
    expected: { from: "22:00", to: "07:00", time_zone: "Europe/Berlin" }[key],
  })),
];

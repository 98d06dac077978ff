import { describe, expect, test } from "vitest";
import { NOT_YET, notYetNotices } from "../../src/config/not-yet.ts";
import { configSchema } from "../../src/config/schema.ts";
import { keysOf, leavesOf, writtenDefault, writtenSchema } from "../../src/config/written-schema.ts";
import { load, SOUND_YAML } from "./workplace.ts";

const defaults = writtenDefault(writtenSchema(configSchema));

describe("keys that are not in force yet", () => {
  test("each is a key of the schema", () => {
    const keys = keysOf(writtenSchema(configSchema))
      .flatMap(([key, schema]) => leavesOf(key, schema))
      .map(([path]) => path);
    const strangers = NOT_YET.filter(({ path }) => {
      const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll("*", "[^.]+")}$`);
      return !keys.some((key) => pattern.test(key));
    });
    expect(strangers).toEqual([]);
  });

  test("one that differs from its default is named, and does not refuse the start", () => {
    const { notices } = load(`${SOUND_YAML}
circuit_breakers: { storm: { max_depth: 5 }, incident: { within: 1h } }
retries: { coder_poll_interval: 5m }
`);
    expect(notices).toEqual([
      "config: key retries.coder_poll_interval is accepted but not in force yet (it waits for goals and sprints)",
    ]);
  });

  test("one that is set to its default is not named", () => {
    expect(notYetNotices({ level: "pr", retries: { coder_poll_interval: "30s" } }, defaults)).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { NOT_YET, notYetNotices, refusedFaults } from "../../src/config/not-yet.ts";
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
setup: { commands: ["npm ci"], cache: [".npm"] }
`);
    expect(notices).toEqual([
      "config: key setup.cache is accepted but not in force yet (it waits for the sandbox)",
    ]);
  });

  test("one that is set to its default is not named", () => {
    expect(notYetNotices({ level: "pr", setup: { cache: [] } }, defaults)).toEqual([]);
  });

  test("of some keys only certain values wait", () => {
    expect(notYetNotices({ sandbox: { network: "proxy" } }, defaults)).toHaveLength(1);
    expect(notYetNotices({ sandbox: { network: "all" } }, defaults)).toEqual([]);
  });
});

describe("values that promise what nothing enforces", () => {
  test.each([
    [{ level: "observe" }, "level:"],
    [{ level: "comment" }, "level:"],
  ])("%j is refused", (document, path) => {
    expect(refusedFaults("c", { sandbox: { mode: "none" }, ...document }, defaults)).toEqual([
      expect.stringContaining(path),
    ]);
  });
});

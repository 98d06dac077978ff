import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { keysOf, leavesOf, writtenSchema } from "../../src/config/written-schema.ts";
import { configSchema } from "../../src/domain/settings/config-schema.ts";
import { KEYS_IN_FORCE } from "./keys-in-force.ts";
import { load, SOUND_YAML } from "./workplace.ts";

const EXTRA = {
  declared: { presets: [{ name: "claude", api: "anthropic", gate: "permission" } as const] },
  env: {
    OTHER_KEY: "other-key",
    TEAM_URL: "https://hooks.example.com/team",
    TEAM_KEY: `whsec_${Buffer.from("a key of thirty-two bytes, or so").toString("base64")}`,
  },
  files: {
    "config/roles/mender.md": "---\ndescription: Fixes.\ntools: [read]\n---\nYou fix.\n",
    "other/roles/triage.md": "---\ndescription: Another triage.\ntools: []\n---\nYou are another.\n",
    ...Object.fromEntries(
      ["feat-dev", "bug-fix", "docs-dev", "reviewer"].map((name) => [
        `other/roles/${name}.md`,
        "---\ndescription: A role.\ntools: []\n---\nWork.\n",
      ]),
    ),
  },
};

/** The sound configuration with the keys of `yaml` instead of its own. */
function withKeys(yaml: string): string {
  return stringify({ ...parse(SOUND_YAML), ...parse(yaml) });
}

describe("keys in force", () => {
  // With %s a long key keeps its whole name.
  test.each(KEYS_IN_FORCE.map((key) => [key.key, key] as const))("%s reaches the settings", (_, key) => {
    const { set, read, expected } = key;
    const unset = load(SOUND_YAML, EXTRA).config;
    const { config, notices } = load(withKeys(set), EXTRA);
    expect(read(unset)).not.toEqual(expected);
    expect(read(config)).toEqual(expected);
    expect(notices).toEqual([]);
  });

  test("every key is in force and tested here", () => {
    const accounted = new Set(KEYS_IN_FORCE.map(({ key }) => key));
    const open = keysOf(writtenSchema(configSchema))
      .flatMap(([key, schema]) => leavesOf(key, schema))
      .map(([path]) => path)
      .filter((path) => !accounted.has(path));
    expect(open).toEqual([]);
  });
});

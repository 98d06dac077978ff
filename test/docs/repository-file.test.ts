import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Keys } from "../../src/domain/settings/keys.ts";
import { BREAKER_SECTIONS, TOP_KEYS, TOP_SECTIONS } from "../../src/domain/settings/repository-schema.ts";

const PAGE = readFileSync("docs/repository-file.md", "utf8");

const waysOf = (path: string, keys: Keys) =>
  Object.values(keys).flatMap((entry) =>
    "keys" in entry ? [] : [`${path}${entry.key} ${String(entry.repository).replace("_", " ")}`],
  );

test("docs/repository-file.md has every key that a repository's file may move, and the way that it may go", () => {
  const rows = [...PAGE.matchAll(/^\| `([a-z_.]+)` \| ([a-z ]+) \|/gm)].map(
    ([, key, may]) => `${key} ${may}`,
  );
  expect(rows.toSorted()).toEqual(
    [
      ...waysOf("", TOP_KEYS),
      ...TOP_SECTIONS.flatMap(({ key, keys }) => waysOf(`${key}.`, keys)),
      ...BREAKER_SECTIONS.flatMap(({ key, keys }) => waysOf(`circuit_breakers.${key}.`, keys)),
      // The limits of agents, each by its own name.
      "circuit_breakers.defaults lower",
      "circuit_breakers.roles lower",
    ].toSorted(),
  );
});

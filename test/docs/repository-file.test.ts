import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DIRECTIONS } from "../../src/config/repository/directions.ts";

const PAGE = readFileSync("docs/repository-file.md", "utf8");

test("docs/repository-file.md has every key that a repository's file may move, and the way that it may go", () => {
  const rows = [...PAGE.matchAll(/^\| `([a-z_.]+)` \| ([a-z ]+) \|/gm)].map(
    ([, key, may]) => `${key} ${may}`,
  );
  expect(rows.toSorted()).toEqual(
    [
      ...DIRECTIONS.map(({ path, may }) => `${path.join(".")} ${may.replace("_", " ")}`),
      // The limits of agents, each by its own name.
      "circuit_breakers.defaults lower",
      "circuit_breakers.roles lower",
    ].toSorted(),
  );
});

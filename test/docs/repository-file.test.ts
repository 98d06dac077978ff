import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Keys } from "../../src/domain/settings/keys.ts";
import { BREAKER_SECTIONS, TOP_KEYS, TOP_SECTIONS } from "../../src/domain/settings/repository-schema.ts";
import { withParts } from "./parts.ts";

/** What the page says about a key beside the way that it may go. */
const REMARKS: Readonly<Record<string, string>> = {
  branches: "the pattern of agents' branches; change it while no agent is at work",
  "setup.commands":
    "setup commands in place of the operator's, where `setup.repositories_may.commands` is true; never none where the operator has some",
  "setup.network":
    "hosts of the operator's `setup.network` and `setup.repositories_may.hosts`, in place of the operator's",
  "setup.cache": "names of directories, in place of the operator's",
  base: "the branch of all work for which nothing else names one",
  bases: "branches that work may go to, besides the operator's",
  "setup.environment": "names are added, and values of names replaced",
  services:
    "services are added, and those of the same name replaced, where `setup.repositories_may.services` is true",
  "evidence.commands":
    "acceptance commands in place of the operator's; never none where the operator has some",
  "evidence.required_checks": "checks that must be green, besides the operator's",
  instructions:
    "`off`: agents are not shown `AGENTS.md` and its like; a list of files: they are shown these instead",
  "merge.auto": "it merges only where the operator switched it on",
  "circuit_breakers.defaults": "each limit, for every role here",
  "circuit_breakers.roles": "each limit of a role, by its name",
};

function row(key: string, way: string): string {
  const remark = REMARKS[key] === undefined ? "" : `${REMARKS[key]} `;
  return `| \`${key}\` | ${way.replace("_", " ")} | ${remark}|`;
}

const rows = (path: string, keys: Keys) =>
  Object.values(keys).flatMap((entry) =>
    "keys" in entry || entry.repository === undefined ? [] : [row(`${path}${entry.key}`, entry.repository)],
  );

test("docs/repository-file.md has every key that a repository sets, and the way that it may go (`-u` renews them)", async () => {
  const table = [
    "| key | which way | what it means |\n|---|---|---|",
    ...rows("", TOP_KEYS),
    ...TOP_SECTIONS.flatMap(({ key, keys }) => rows(`${key}.`, keys)),
    row("circuit_breakers.defaults", "lower"),
    row("circuit_breakers.roles", "lower"),
    ...BREAKER_SECTIONS.flatMap(({ key, keys }) => rows(`circuit_breakers.${key}.`, keys)),
  ].join("\n");
  const page = withParts(readFileSync("docs/repository-file.md", "utf8"), { keys: table });
  await expect(page).toMatchFileSnapshot("../../docs/repository-file.md");
});

import { expect, it } from "vitest";
import { issueAgainst } from "../../../src/domain/merge-queue/issue-against.ts";
import { person } from "../../fakes/github-world.ts";

const OPEN = { number: 1, state: "open", locked: false, assignees: [] } as const;
const bot = { ...person("copilot"), type: "Bot" } as const;

it.each([
  ["is gone", null, "its issue is no longer in this repository", "merge it by hand"],
  ["is closed", { ...OPEN, state: "closed" }, "#1 is closed", "reopen #1, or merge it by hand"],
  ["is locked", { ...OPEN, locked: true }, "#1 is locked", "unlock #1, or merge it by hand"],
  [
    "is assigned to people",
    { ...OPEN, assignees: [person("alice"), bot, person("bob")] },
    "#1 is assigned to @alice and @bob",
    "remove the assignee, or merge it by hand",
  ],
] as const)("an issue that %s is against the merge", (_, issue, why, change) => {
  expect(issueAgainst(issue)).toEqual({ why, change });
});

it("an open issue that nobody took over is not", () => {
  expect(issueAgainst(OPEN)).toBe(null);
  expect(issueAgainst({ ...OPEN, assignees: [bot] })).toBe(null);
});

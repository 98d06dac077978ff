import { expect, it } from "vitest";
import { blockerIssueBody } from "../../../src/domain/blockers/blocker-issue.ts";
import { raisesDay } from "../../../src/domain/breakers/day-budget.ts";
import { takesOverText } from "../../../src/domain/merge-queue/merge-text.ts";
import { personNamed } from "../../../src/domain/status/person-named.ts";
import { takeFiles } from "../../../src/domain/tasks/archive-text.ts";

it("an issue that an agent opened says by whom and why, under the agent's words", () => {
  expect(blockerIssueBody("Fix the parser.\n\n", { role: "feat-dev", issue: 4 })).toMatch(
    /^Fix the parser\.\n\n---\nOpened by \*\*feat-dev\*\*, which works on #4 /,
  );
});

it("files that were kept beside an archive are named with what to do about them", () => {
  expect(takeFiles("archives/7/x/abc.files")).toMatch(
    /^copy .* \$FLOTILLA_DATA_DIR\/archives\/7\/x\/abc\.files before then, or delete that directory/,
  );
});

it("who takes work over reads why its merge failed, and the detail where there is one", () => {
  expect(takesOverText("#4 conflicts", "")).toMatch(/merge failed: #4 conflicts\. .* and report\.$/);
  expect(takesOverText("#4 conflicts", "In a.ts.")).toMatch(/and report\.\nIn a\.ts\.$/);
});

it("a person has a sign before the login, the operator has none", () => {
  expect([personNamed("alice"), personNamed("operator:root")]).toEqual(["@alice", "the operator"]);
});

it("the word that raises a limit of the day fits the limit", () => {
  expect(raisesDay("max_agents")).toContain("`/flotilla budget +N agents today`");
  expect(raisesDay("max_cost_usd")).toContain("`/flotilla budget +$N today`");
});

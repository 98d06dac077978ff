import { expect, it } from "vitest";
import { NO_CHANGES } from "../../../src/domain/kernel/change-set.ts";
import { draftsPart, rescopesTask, supersedesTask } from "../../../src/domain/planning/sub-issue.ts";
import { subIssueBody } from "../../../src/domain/planning/sub-issue-text.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { anIssue } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { effectsOf, movesOf, saidBy } from "../kernel/changes-as-text.ts";

const planner = anAgent({ id: 3, role: "planner", coder: false, issue: 1 });
const when = { at: AT, actor: "agent" };
const blocked = aTask({ state: "BLOCKED", blockedReason: "coders_failed" });
const rescope = { ...when, issue: anIssue(), why: "planner-issue-1 rescoped it: smaller" };

it("a part gets a draft and a coder under its planner, and only the first time", () => {
  const begins = { ...when, title: "A part", base: "release-1", parent: planner };
  const moves = draftsPart(aRole(), aView(), begins);
  expect(movesOf({ ...NO_CHANGES, moves })).toEqual(["task new OPEN", "agent new CREATE"]);
  expect(moves[0]?.event).toMatchObject({ draft: true, title: "A part", base: "release-1" });
  expect(moves[1]?.event).toMatchObject({ newAgent: { parentAgentId: 3, role: "feat-dev" } });
  expect(draftsPart(aRole(), aView({ task: aTask() }), begins)).toEqual([]);
  expect(draftsPart(aRole(), aView({ agents: [anAgent({ state: "CANCELLED" })] }), begins)).toEqual([]);
});

it("a blocked task is tried again by its last coder's role, which is told why", () => {
  const view = aView({ task: blocked, agents: [planner, anAgent({ state: "ESCALATED" })] });
  const changes = rescopesTask(view, rescope);
  expect(movesOf(changes)).toEqual(["agent 11 CANCEL", "task 41 RESCOPE", "agent new REVIVE"]);
  expect(changes.moves[2]?.event).toMatchObject({ previous: { reason: rescope.why } });
});

it.each([
  ["nobody worked on it", []],
  ["its role is gone", [anAgent({ role: "gone", state: "FAILED" })]],
])("a blocked task is free again where %s", (_, agents) => {
  expect(movesOf(rescopesTask(aView({ task: blocked, agents }), rescope))).toEqual(["task 41 RESCOPE"]);
});

it("a task whose place another issue takes ends with its agents, and the issue says so", () => {
  const agents = [anAgent({ id: 1, state: "FAILED" }), anAgent({ id: 2, state: "ESCALATED" })];
  const other = { ...when, by: 5, reason: "Smaller.\nBetter.", planner };
  const changes = supersedesTask(aView({ task: blocked, agents }), other);
  expect(movesOf(changes)).toEqual(["task 41 SUPERSEDE", "agent 2 CANCEL"]);
  expect(changes.moves[0]?.event).toMatchObject({ by: 5, reason: other.reason });
  expect(saidBy(changes)).toBe("**planner** gives this up: #5 takes its place.\n\n> Smaller.\n> Better.");
  expect(effectsOf(changes)).toEqual(["post_comment", "status_comment"]);
  expect(supersedesTask(aView(), other)).toEqual(NO_CHANGES);
});

it("a part says of which issue it is one, and what it waits for", () => {
  const body = subIssueBody(" Do it. ", planner);
  expect(body).toMatch(/^Do it\.\n\n---\nOpened by \*\*planner\*\* as a part of #1\. It is a draft/);
});

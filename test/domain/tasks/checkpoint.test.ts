import { expect, it } from "vitest";
import {
  type CheckpointRow,
  notSent,
  pauseAfterSaving,
  pauseBeforeSending,
  rebuilt,
  savedCommits,
  tellsOfFailure,
} from "../../../src/domain/tasks/checkpoint.ts";
import { AT, HOUR, MINUTE } from "../../factories/moment.ts";

const NEW = "a".repeat(40);
const OLD = "b".repeat(40);
const ROW: CheckpointRow = {
  agentId: 1,
  token: 1,
  commit: NEW,
  madeAt: AT,
  pushed: OLD,
  pushedMadeAt: AT - HOUR,
  fault: null,
};

it("saves for at most a tenth of the time, and each minute in any case", () => {
  expect(pauseAfterSaving(1000)).toBe(9000);
  expect(pauseAfterSaving(60_000)).toBe(MINUTE);
});

it("sends each minute, and after failures later and later, up to an hour", () => {
  expect([0, 1, 2, 9].map(pauseBeforeSending)).toEqual([MINUTE, 2 * MINUTE, 4 * MINUTE, HOUR]);
});

it.each([
  ["tell", 1, true],
  ["stop", 1, true],
  ["retry", 1, false],
  ["park", 2, false],
  ["retry", 3, true],
] as const)("of a failure to %s, number %i, people are told: %s", (consequence, failures, told) => {
  expect(tellsOfFailure(consequence, failures)).toBe(told);
});

it("names the checkpoints that the server may have, the newest first, each once", () => {
  expect(savedCommits(ROW)).toEqual([NEW, OLD]);
  expect(savedCommits({ ...ROW, pushed: NEW })).toEqual([NEW]);
  expect(savedCommits({ ...ROW, commit: null })).toEqual([OLD]);
  expect(savedCommits(undefined)).toEqual([]);
});

it("says where the work is that the server did not take", () => {
  expect(notSent("dev-1", "no")).toBe(
    "the git server did not take the checkpoint of dev-1, so its work that is not pushed is on this machine only: no",
  );
});

it.each([
  [
    "checkpoint",
    NEW,
    ROW,
    "its checkpoint of 2025-12-21 22:40 UTC; what it changed after that, if anything, is lost",
  ],
  [
    "checkpoint",
    OLD,
    ROW,
    "its checkpoint of 2025-12-21 21:40 UTC; what it changed after that, if anything, is lost",
  ],
  ["checkpoint", OLD, undefined, "its checkpoint; what it changed after that, if anything, is lost"],
  ["checkpoint", null, ROW, "its commits; what it had not committed, if anything, is lost"],
  ["pushed", null, undefined, "its branch as pushed; what it had not committed, if anything, is lost"],
  [
    "fresh",
    null,
    { ...ROW, fault: "refused" },
    "the base branch; what it had not committed, if anything, is lost. Its work was in no checkpoint on the server: refused",
  ],
] as const)("says what is back and what is lost: %s, %s, %j", (origin, checkpoint, row, text) => {
  expect(rebuilt("dev-1", { origin, checkpoint }, row)).toBe(
    `the worktree of dev-1 was gone and is made again from ${text}`,
  );
});

import { expect, test } from "vitest";
import { tryGit } from "../../../src/adapters/git/process/try-git.ts";
import { judged } from "../../../src/server/start-checks/git.ts";

test.each([
  ["2.30.2", 1, 0],
  ["2.39.4", 1, 0],
  ["2.39.5", 0, 0],
  ["2.43.0", 0, 1],
  ["2.43.4", 0, 0],
  ["2.50.1", 0, 0],
  ["3.0.0", 0, 0],
])("git %s: %i faults, %i pieces of advice", (version, faults, advice) => {
  const found = judged({ version, fired: [] });
  expect([found.faults.length, found.advice.length]).toEqual([faults, advice]);
});

test("the git of this machine runs nothing that is planted, under our configuration", async () => {
  expect(await tryGit()).toEqual({ version: expect.stringMatching(/^\d+\.\d+/), fired: [] });
});

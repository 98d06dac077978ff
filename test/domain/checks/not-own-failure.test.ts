import { expect, it } from "vitest";
import type { CheckVerdict } from "../../../src/domain/checks/check-verdict.ts";
import { notOwnFailure } from "../../../src/domain/checks/not-own-failure.ts";
import { NO_CHANGES } from "../../../src/domain/kernel/change-set.ts";

const COMMIT = "c".repeat(40);
const given = {
  commit: COMMIT,
  agentId: 3,
  base: "main",
  red: [
    { name: "build", run: "9@t", jobId: 9 },
    { name: "lint", run: "status@t", jobId: null },
  ],
};
const of = (verdict: CheckVerdict) => notOwnFailure(verdict, given);
const rerun = (check: string, byPerson = false) => ({ check, cause: "flake", byPerson }) as const;

it.each<CheckVerdict>([
  { kind: "green" },
  { kind: "pending", checks: ["build"] },
  { kind: "own_failure", checks: ["build"] },
])("says nothing of $kind", (verdict) => {
  expect(of(verdict)).toEqual(NO_CHANGES);
});

it.each<[CheckVerdict, string, string, string]>([
  [
    { kind: "base_red", checks: ["build"] },
    "base_red",
    "build fails on cccccccccc as on the head of main: the change is not the cause",
    "fix build on main",
  ],
  [
    { kind: "base_red", checks: ["build", "lint"] },
    "base_red",
    "build, lint fail on",
    "fix build, lint on main",
  ],
  [
    { kind: "awaiting_approval", checks: ["build"] },
    "checks_awaiting_approval",
    "GitHub does not run build for cccccccccc until a person approves it",
    "Approve and run",
  ],
  [
    { kind: "no_checks", checks: ["build"] },
    "no_checks",
    "nothing reports build for cccccccccc",
    "remove it from the required checks",
  ],
  [
    { kind: "flaky", reruns: [rerun("lint")] },
    "checks_by_hand",
    "lint of cccccccccc fails now and then",
    "run lint again where it runs",
  ],
  [{ kind: "flaky", reruns: [rerun("build", true)] }, "checks_by_hand", "build of", "run build again"],
  [{ kind: "flaky", reruns: [rerun("gone")] }, "checks_by_hand", "gone of", "run gone again"],
])("wakes nobody for %j, and says what it waits for", (verdict, rule, reason, change) => {
  const { decisions, ...rest } = of(verdict);
  expect(decisions).toEqual([
    expect.objectContaining({
      rule,
      agentId: 3,
      reason: expect.stringContaining(reason),
      change: expect.stringContaining(change),
    }),
  ]);
  expect(rest).toMatchObject({ moves: [], wakes: [], effects: [] });
});

it("asks for a job to be run again, with the run that is meant, and says why", () => {
  const { decisions, effects } = of({
    kind: "flaky",
    reruns: [
      { check: "build", cause: "base_mended", byPerson: false },
      { check: "lint", cause: "stopped", byPerson: false },
    ],
  });
  expect(effects).toEqual([
    { kind: "rerun_check", commit: COMMIT, check: "build", run: "9@t", job: 9, agentId: 3 },
  ]);
  expect(decisions.map(({ rule, reason }) => `${rule}: ${reason}`)).toEqual([
    "checks_rerun: build of cccccccccc failed as the base branch did, which does not any more",
    "checks_by_hand: lint of cccccccccc was stopped before it came to an end",
  ]);
});

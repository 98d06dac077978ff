import type { IssueState } from "../../src/domain/kernel/change-set.ts";
import { NO_PLAN } from "../../src/domain/planning/plan.ts";
import { someSettings } from "./some-settings.ts";

/** Builds the known state of issue 42 in a private repository; no agent works on it yet. */
export function aView(overrides: Partial<IssueState> = {}): IssueState {
  return {
    settings: someSettings(),
    repositoryId: 7,
    private: true,
    defaultBranch: "main",
    issue: 42,
    agents: [],
    held: [],
    waiting: [],
    task: null,
    newestTask: overrides.task ?? null,
    decisions: [],
    pushers: [],
    rejectedBy: [],
    daySpent: [],
    asked: [],
    questions: [],
    plan: NO_PLAN,
    status: [],
    around: [],
    ...overrides,
  };
}

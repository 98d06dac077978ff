import type { Scenario } from "../../../src/demo/scenario.ts";
import { aScenario } from "../../journeys/a-scenario.ts";
import {
  AGAIN,
  begins,
  LIB,
  plainSteps,
  SCHEDULED,
  titleOf,
  VARIED_CONFIG,
  variedConversations,
} from "./stories.ts";

/** Every other issue has a question for a person, where all are alike otherwise. */
const asks = (index: number): boolean => index % 2 === 1;

/** How long after the beginning the schedule comes. */
const SOON_MS = 5 * 60_000;

/** Agents that may begin on an issue beside its coder: reviewers, and what follows from the story. */
const AGENTS_OF_ISSUE = 4;

/** What the model says to the agents of so many issues. `varied`: see `FleetGiven`. */
export function fleetScenario(issues: number, varied: boolean): Scenario {
  const many = (issues + LIB.issues) * AGENTS_OF_ISSUE;
  return aScenario({
    config: {
      ...(varied ? { ...VARIED_CONFIG, schedules: soon() } : {}),
      // With more looks a minute, many agents meet GitHub's limits, and so do their tools.
      reconcile_every: `${Math.max(20, issues * 5)}s`,
      retention: { worktrees: "30s" },
      // Few are merged, and agents begin nevertheless.
      attention: { open_prs: many },
      circuit_breakers: { repository_per_day: { max_agents: many } },
      runtime: { max_concurrent_agents: 6 },
    },
    conversations: varied
      ? variedConversations(issues)
      : Array.from({ length: issues }, (_, index) => ({
          match: titleOf(index).replaceAll(".", "\\."),
          again: AGAIN,
          steps: [begins, ...plainSteps(index, asks(index))],
        })),
  });
}

/** A schedule that begins once while the proof runs. */
function soon() {
  const at = new Date(Date.now() + SOON_MS);
  const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
  return {
    daily: { repository: "acme/app", cron, role: "docs-dev", title: SCHEDULED, body: "As short as can be." },
  };
}

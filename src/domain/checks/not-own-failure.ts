import { type ChangeSet, decisionOnly, mergeChanges, NO_CHANGES } from "../kernel/change-set.ts";
import type { CheckVerdict, RerunCause } from "./check-verdict.ts";

const CAUSES: Readonly<Record<RerunCause, string>> = {
  flake: "fails now and then without a change",
  base_mended: "failed as the base branch did, which does not any more",
  stopped: "was stopped before it came to an end",
};

/** A red check's run, of which a rerun can be requested. */
export interface RedRun {
  readonly name: string;
  readonly run: string;
  readonly jobId: number | null;
}

/**
 * Handles red checks that the commit did not cause: no agent wakes, and a decision says what they wait for. Returns no
 * changes for checks that are green, run, or fail by the commit.
 */
export function notOwnFailure(
  verdict: CheckVerdict,
  given: {
    readonly commit: string;
    readonly agentId: number;
    readonly base: string;
    readonly red: readonly RedRun[];
  },
): ChangeSet {
  const { commit, agentId, base, red } = given;
  const short = commit.slice(0, 10);
  switch (verdict.kind) {
    case "green":
    case "pending":
    case "own_failure":
      return NO_CHANGES;
    case "base_red": {
      const { checks } = verdict;
      const reason = `${listed(checks)} on ${short} as on the head of ${base}: the change is not the cause`;
      return decisionOnly("base_red", reason, {
        agentId,
        change: `fix ${checks.join(", ")} on ${base}; Flotilla then checks again automatically`,
        inputs: { commit, checks },
      });
    }
    case "awaiting_approval":
      return decisionOnly(
        "checks_awaiting_approval",
        `GitHub does not run ${verdict.checks.join(", ")} for ${short} until a person approves it`,
        {
          agentId,
          change: "press “Approve and run” on the pull request's page",
          inputs: { commit, checks: verdict.checks },
        },
      );
    case "no_checks":
      return decisionOnly("no_checks", `nothing reports ${verdict.checks.join(", ")} for ${short}`, {
        agentId,
        change: "make a workflow report it for pull requests, or remove it from the required checks",
        inputs: { commit, checks: verdict.checks },
      });
    case "flaky":
      return mergeChanges(
        ...verdict.reruns.map(({ check, cause, byPerson }): ChangeSet => {
          const reason = `${check} of ${short} ${CAUSES[cause]}`;
          const run = red.find(({ name }) => name === check);
          const inputs = { commit, check, cause };
          if (byPerson || run === undefined || run.jobId === null)
            return decisionOnly("checks_by_hand", reason, {
              agentId,
              change: `run ${check} again where it runs; Flotilla cannot`,
              inputs,
            });
          return mergeChanges(
            decisionOnly("checks_rerun", reason, {
              agentId,
              change: "nothing: Flotilla reads the new result automatically",
              inputs,
            }),
            {
              ...NO_CHANGES,
              effects: [{ kind: "rerun_check", commit, check, run: run.run, job: run.jobId, agentId }],
            },
          );
        }),
      );
  }
}

function listed(checks: readonly string[]): string {
  return `${checks.join(", ")} ${checks.length === 1 ? "fails" : "fail"}`;
}

import type { DomainEvent } from "../../src/domain/events/domain-event.ts";
import type { CommitCheck } from "../../src/domain/ports/github.ts";
import { aDomainEvent, aRepository } from "../factories/an-occurrence.ts";
import { person } from "../fakes/github-world.ts";
import type { Rig } from "./rig.ts";

const BRANCH = "flotilla/feat-dev/issue-1";

/** One check as it is put on a commit: of GitHub Actions with a `job`, of another App with none. */
export interface PutCheck {
  readonly state: CommitCheck["state"];
  readonly conclusion?: string;
  readonly job?: number;
  readonly step?: string;
  readonly log?: string;
}

const WORDS = { pending: "in_progress", green: "success", red: "failure" } as const;

export function headOf(rig: Rig, branch = BRANCH): string {
  return rig.worktrees.serverHead(branch) ?? "";
}

/** The checks of a commit or branch as GitHub has them from now on, and the webhook that tells of them. */
export function put(rig: Rig, ref: string, checks: Readonly<Record<string, PutCheck>>): DomainEvent {
  const changedAt = new Date(rig.clock.now()).toISOString();
  rig.repository.checks.set(
    ref,
    Object.entries(checks).map(([name, { state, conclusion = WORDS[state], job, step, log }]) => {
      if (job !== undefined && state === "red")
        rig.repository.failedJobs.set(job, { name, step: step ?? null, log: log ?? "" });
      const run = job === undefined ? {} : { run: { id: job, job: true } };
      const said = log === undefined || job !== undefined ? {} : { output: log };
      return { name, state, conclusion, changedAt, ...run, ...said };
    }),
  );
  rig.deliveries += 1;
  return aDomainEvent("checks_changed", {
    delivery: `d-${rig.deliveries}`,
    at: rig.clock.now(),
    repository: aRepository({ private: rig.repository.private }),
    actor: person("alice"),
    permitted: false,
    commit: ref,
  });
}

/** A run of GitHub Actions that fails with this in its log. */
export const failing = (job: number, log = "Error: expected 1, got 2"): PutCheck => ({
  state: "red",
  job,
  step: "npm test",
  log,
});

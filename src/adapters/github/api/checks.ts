import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { CommitCheck, GitHub } from "../../../domain/ports/github.ts";
import { at, pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { rulesShape } from "./rules.ts";

/** Conclusions of a check that allow a merge. All others block it. */
const GREEN: readonly string[] = ["success", "neutral", "skipped"];

/** The App whose check runs are jobs of workflows. */
const ACTIONS = "github-actions";

/** An unknown status or conclusion does not count as success. */
const runsShape = z
  .object({
    check_runs: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        status: z.string(),
        conclusion: z.string().nullish(),
        output: z.object({ text: z.string().nullish(), summary: z.string().nullish() }).nullish(),
        app: z.object({ slug: z.string().optional() }).nullish(),
        started_at: z.string().nullish(),
        completed_at: z.string().nullish(),
      }),
    ),
  })
  .transform(({ check_runs }) => check_runs);

const statusesShape = z.array(
  z.object({ context: z.string(), state: z.string(), updated_at: z.string().nullish() }),
);

const branchShape = z.object({
  protection: z.object({
    required_status_checks: z
      .object({ enforcement_level: z.string().nullish(), contexts: z.array(z.string()) })
      .nullish(),
  }),
});

/** Creates the reads of checks: check runs and commit statuses together, and the checks that a branch requires. */
export function createChecks(room: Room): Pick<GitHub, "checks" | "requiredChecks"> {
  const { on } = room;

  /** Returns the latest run of each name and App. */
  async function checkRuns(repository: RepositoryRef, commit: string): Promise<readonly CommitCheck[]> {
    const wanted = { ...at(repository), ref: commit, filter: "latest" } as const;
    const runs = pages((page) => on(repository).checks.listForRef({ ...wanted, ...page }), runsShape);
    return Array.fromAsync(runs, ({ name, status, conclusion, output, id, app, ...times }) => {
      const run = { id, job: app?.slug === ACTIONS };
      if (status !== "completed" || conclusion === undefined || conclusion === null)
        return { name, state: "pending", conclusion: status, run, ...since(times.started_at) };
      const ended = { run, ...since(times.completed_at) };
      if (GREEN.includes(conclusion)) return { name, state: "green", conclusion, ...ended };
      const said = output?.text || output?.summary;
      return { name, state: "red", conclusion, ...ended, ...(said ? { output: said } : {}) };
    });
  }

  /** Returns the latest status of each context: GitHub lists the newest first. */
  async function statuses(repository: RepositoryRef, commit: string): Promise<readonly CommitCheck[]> {
    const all = pages(
      (page) => on(repository).repos.listCommitStatusesForRef({ ...at(repository), ref: commit, ...page }),
      statusesShape,
    );
    const newest = new Map<string, CommitCheck>();
    for await (const { context: name, state: conclusion, updated_at } of all) {
      const state = conclusion === "success" ? "green" : conclusion === "pending" ? "pending" : "red";
      if (!newest.has(name)) newest.set(name, { name, state, conclusion, ...since(updated_at) });
    }
    return [...newest.values()];
  }

  async function protectedBy(repository: RepositoryRef, branch: string): Promise<readonly string[]> {
    const asked = on(repository).repos.getBranch({ ...at(repository), branch });
    const required = (await readAnswer(asked, branchShape)).protection.required_status_checks ?? null;
    return required === null || required.enforcement_level === "off" ? [] : required.contexts;
  }

  async function ruledBy(repository: RepositoryRef, branch: string): Promise<readonly string[]> {
    const rules = pages(
      (page) => on(repository).repos.getBranchRules({ ...at(repository), branch, ...page }),
      rulesShape,
    );
    const found: string[] = [];
    for await (const rule of rules) found.push(...rule.requiredChecks);
    return found;
  }

  return {
    checks: async (repository, commit) => [
      ...(await checkRuns(repository, commit)),
      ...(await statuses(repository, commit)),
    ],
    requiredChecks: async (repository, branch) => [
      ...new Set([
        ...(await readable(protectedBy(repository, branch))),
        ...(await readable(ruledBy(repository, branch))),
      ]),
    ],
  };
}

function since(moment: string | null | undefined): Pick<CommitCheck, "changedAt"> {
  return moment ? { changedAt: moment } : {};
}

/** Returns nothing if the App lacks the permission, or the server lacks the feature. */
async function readable(found: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof GitHubError && ["forbidden", "not_found"].includes(error.code)) return [];
    throw error;
  }
}

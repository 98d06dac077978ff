import { GitHubError } from "../core/errors.ts";
import type { CommitCheck, GitHub } from "../core/ports/github.ts";
import type { RepositoryRef } from "../core/repository.ts";
import { at, pages } from "./pages.ts";
import type { Room } from "./room.ts";

/** Conclusions with which a check lets a merge through; all others stand in its way. */
const GREEN: readonly string[] = ["success", "neutral", "skipped"];

/** The App whose check runs are jobs of workflows. */
const ACTIONS = "github-actions";

/** Check runs and commit statuses as one, and which of them a branch requires. */
export function createChecks(room: Room): Pick<GitHub, "checks" | "requiredChecks"> {
  const { on } = room;

  /** Of several runs of one name and App the latest. */
  async function checkRuns(repository: RepositoryRef, commit: string): Promise<readonly CommitCheck[]> {
    const runs = pages(async (page) => {
      const { data } = await on(repository).checks.listForRef({
        ...at(repository),
        ref: commit,
        filter: "latest",
        ...page,
      });
      return { data: data.check_runs };
    });
    return Array.fromAsync(runs, ({ name, status, conclusion, output, id, app, ...times }) => {
      const run = { id, job: app?.slug === ACTIONS };
      if (status !== "completed" || conclusion === null)
        return { name, state: "pending", conclusion: status, run, ...since(times.started_at) };
      const ended = { run, ...since(times.completed_at) };
      if (GREEN.includes(conclusion)) return { name, state: "green", conclusion, ...ended };
      const said = output?.text || output?.summary;
      return { name, state: "red", conclusion, ...ended, ...(said ? { output: said } : {}) };
    });
  }

  /** Of each context the latest: GitHub lists the newest first. */
  async function statuses(repository: RepositoryRef, commit: string): Promise<readonly CommitCheck[]> {
    const all = pages((page) =>
      on(repository).repos.listCommitStatusesForRef({ ...at(repository), ref: commit, ...page }),
    );
    const newest = new Map<string, CommitCheck>();
    for await (const { context: name, state: conclusion, updated_at } of all) {
      const state = conclusion === "success" ? "green" : conclusion === "pending" ? "pending" : "red";
      if (!newest.has(name)) newest.set(name, { name, state, conclusion, ...since(updated_at) });
    }
    return [...newest.values()];
  }

  async function protectedBy(repository: RepositoryRef, branch: string): Promise<readonly string[]> {
    const { data } = await on(repository).repos.getBranch({ ...at(repository), branch });
    const required = data.protection.required_status_checks;
    return required === undefined || required.enforcement_level === "off" ? [] : required.contexts;
  }

  async function ruledBy(repository: RepositoryRef, branch: string): Promise<readonly string[]> {
    const rules = pages((page) =>
      on(repository).repos.getBranchRules({ ...at(repository), branch, ...page }),
    );
    const found: string[] = [];
    for await (const rule of rules)
      if (rule.type === "required_status_checks")
        found.push(...(rule.parameters?.required_status_checks ?? []).map(({ context }) => context));
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

/** Nothing where the App may not look, or the server has no such thing. */
async function readable(found: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof GitHubError && ["forbidden", "not_found"].includes(error.code)) return [];
    throw error;
  }
}

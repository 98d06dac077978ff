import { seenIssues } from "../../cli/commands/report-issues.ts";
import type { Progress } from "../../cli/progress.ts";
import { type PublishedName, schemaLine } from "../../config/published-schema.ts";
import { SCHEMA_PATH } from "../../dashboard/schema-route.ts";
import { levelIn } from "../../domain/access/level-of.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { proposalBody } from "../../domain/onboarding/onboarding-body.ts";
import { proposedFile } from "../../domain/onboarding/onboarding-file.ts";
import { type ProposalState, proposalState } from "../../domain/onboarding/proposal-state.ts";
import { PROPOSED_FILE, proposalBranch } from "../../domain/onboarding/proposed.ts";
import { afterTrial, type ProposalTrial } from "../../domain/onboarding/trial.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { GitHubPullRequest } from "../../domain/ports/github-changes.ts";
import type { Log } from "../../domain/ports/log.ts";
import { reportOf } from "../../domain/reporting/report.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { readSeen } from "./read-seen.ts";

/** Number of recent issues to read. */
const LAST = 30;

/** What a proposal is built from. GitHub is only read. */
export interface ProposalTools extends Progress {
  readonly github: GitHub;
  readonly settings: Settings;
  /** Where people reach the page, or null; their editors find the file's schema there. */
  readonly publicUrl: string | null;
  readonly log: Log;
  /** Returns what the database holds about these issues of the repository. */
  readonly known: (
    repository: RepositoryRow,
    issues: readonly number[],
  ) => Promise<Pick<Parameters<typeof reportOf>[2], "agents" | "rows">>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns whether the file can be proposed to the repository. Throws `GitHubError`. */
export async function proposalStatus(
  { github, settings }: Pick<ProposalTools, "github" | "settings">,
  repository: RepositoryRow,
  again: boolean,
): Promise<ProposalState> {
  const { botId } = await github.identity();
  const { archived } = await github.repository(repository);
  const file = (await github.filesOf(repository, [PROPOSED_FILE])).has(PROPOSED_FILE);
  const pulls = await proposals(github, repository);
  const level = levelIn(settings, fullName(repository));
  return proposalState({ archived, file, pulls }, { level, botId, again });
}

/**
 * Returns file and body of the pull request, based on the repository, the trial of its commands and its recent issues.
 * Throws `GitHubError`.
 */
export async function writtenProposal(
  tools: ProposalTools,
  repository: RepositoryRow,
  trial: ProposalTrial,
): Promise<{ readonly content: string; readonly body: string }> {
  const { github, settings } = tools;
  const seen = afterTrial(settings, await readSeen(github, repository), trial);
  const issues = await seenIssues(tools, repository, LAST);
  // This function runs only if the repository has no file yet.
  const file = { state: "none" } as const;
  const done = await tools.known(
    repository,
    issues.map(({ issue }) => issue.number),
  );
  const report = reportOf(settings, repository, { seen: issues, ...done, now: tools.now, file });
  const name = fullName(repository);
  const level = levelIn(settings, name);
  return {
    content: `${schemaLines(tools.publicUrl)}${proposedFile(settings, seen)}`,
    body: proposalBody({ settings, level, seen, trial, report, repository: name }),
  };
}

/** A repository has no copy of the schema, and Flotilla's own address is the only one that holds the right version. */
function schemaLines(publicUrl: string | null): string {
  const name: PublishedName = "repository-file.json";
  return publicUrl === null ? "" : `${schemaLine(`${publicUrl}${SCHEMA_PATH}${name}`)}\n`;
}

/** Returns all pull requests from proposal branches, open or closed, regardless of their author. */
async function proposals(
  github: Pick<GitHub, "pullRequests">,
  repository: RepositoryRow,
): Promise<readonly GitHubPullRequest[]> {
  const all: GitHubPullRequest[] = [];
  for (let nth = 1; ; nth += 1) {
    const found = await github.pullRequests(repository, { head: proposalBranch(nth) });
    const here = found.filter(
      ({ headRepository }) => headRepository?.toLowerCase() === fullName(repository).toLowerCase(),
    );
    if (here.length === 0) return all;
    all.push(...here);
  }
}

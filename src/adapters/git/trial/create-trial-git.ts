import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Worktrees } from "../../../domain/ports/worktrees.ts";
import { createGitHost, type GitHostOptions } from "../process/git-host.ts";
import { worktreesOf } from "../worktree/create-worktrees.ts";
import type { Entry } from "../worktree/tree-entries.ts";
import { differenceOf, layOver, textsOfDifference } from "./laid-over.ts";
import { makeLoneHistory, takeWork } from "./lone-history.ts";
import {
  type CaseCommits,
  fetchCase,
  type MergedCommits,
  type PullHistory,
  patchBetween,
  pathsAt,
  readPullHistory,
} from "./pull-history.ts";

/** git for a trial: a mirror of the repository with its pull requests, which no agent reaches. Every method throws `GitError`. */
export interface TrialGit extends Pick<Worktrees, "checkout" | "removeCheckout"> {
  /** Gets a case's commits from the server where the mirror lacks them. Code `commit_missing`. */
  fetchCase(commits: CaseCommits): Promise<void>;
  pullHistory(merged: MergedCommits): Promise<PullHistory | null>;
  paths(commit: string): Promise<readonly string[]>;
  difference(commits: { readonly from: string; readonly to: string }): Promise<readonly Entry[]>;
  texts(entries: readonly Entry[]): ReturnType<typeof textsOfDifference>;
  patch(between: { readonly from: string; readonly to: string; readonly limit: number }): Promise<string>;
  loneHistory(place: {
    readonly commit: string;
    readonly branch: string;
    readonly directory: string;
  }): Promise<void>;
  takeWork(work: {
    readonly directory: string;
    readonly head: string;
    readonly since: string;
  }): Promise<void>;
  layOver(how: {
    readonly onto: string;
    readonly from: string;
    readonly paths: readonly string[];
  }): Promise<string>;
}

/** Creates the git of a trial of one repository below `dataDir`, which must be the trial's own. */
export function createTrialGit(options: GitHostOptions, repository: RepositoryRef): TrialGit {
  const host = createGitHost(options);
  const worktrees = worktreesOf(host);
  return {
    checkout: (ref, commit) => worktrees.checkout(ref, commit),
    removeCheckout: (ref) => worktrees.removeCheckout(ref),
    fetchCase: (commits) => fetchCase(host, repository, commits),
    pullHistory: (merged) => readPullHistory(host, repository, merged),
    paths: (commit) => pathsAt(host, repository, commit),
    difference: (commits) => differenceOf(host, repository, commits),
    texts: (entries) => textsOfDifference(host, repository, entries),
    patch: (between) => patchBetween(host, repository, between),
    loneHistory: (place) => makeLoneHistory(host, repository, place),
    takeWork: (work) => takeWork(host, repository, work),
    layOver: (how) => layOver(host, repository, how),
  };
}

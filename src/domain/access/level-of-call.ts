import type { GitHub } from "../ports/github.ts";
import type { Worktrees } from "../ports/worktrees.ts";
import type { Level } from "./level.ts";

/**
 * The first level at which a call may be made; null where it writes nothing on GitHub. A method that a port is given does
 * not compile before it is decided here.
 */
export const GITHUB_CALLS: Readonly<Record<keyof GitHub, Level | null>> = {
  identity: null,
  repository: null,
  issue: null,
  issuesWith: null,
  newestIssues: null,
  comments: null,
  events: null,
  pullRequest: null,
  pullRequests: null,
  reviewComments: null,
  pullRequestFiles: null,
  reviews: null,
  permission: null,
  checks: null,
  failedJob: null,
  awaitsApproval: null,
  requiredChecks: null,
  repositoryLimits: null,
  directory: null,
  file: null,
  blockedBy: null,
  parentOf: null,
  subIssues: null,
  reactions: null,
  gitToken: null,
  mergeablePull: null,
  mergeDemands: null,
  readyToMerge: null,
  filesOf: null,
  putComment: "comment",
  createIssue: "comment",
  addLabels: "comment",
  removeLabel: "comment",
  react: "comment",
  addBlockedBy: "comment",
  addSubIssue: "draft",
  openPullRequest: "draft",
  addFileOnBranch: "draft",
  setPullRequestBody: "draft",
  rerunJob: "draft",
  writeReview: "draft",
  putCheck: "draft",
  mergePull: "merge",
};

/** The same of git. A checkpoint is saved at any level, and pushed only where work leaves. */
export const GIT_CALLS: Readonly<Record<keyof Worktrees, Level | null>> = {
  prepare: null,
  status: null,
  commit: null,
  push: "draft",
  pending: null,
  checkpoint: null,
  restore: null,
  tree: null,
  diff: null,
  inspect: null,
  behind: null,
  digest: null,
  checkout: null,
  removeCheckout: null,
  remove: null,
  forget: null,
  tidy: null,
  standings: null,
  updateBranch: "merge",
  bringIn: null,
};

/** Requests that need more than the right to speak, by method and path. */
const REQUESTS: readonly { readonly method: string; readonly path: RegExp; readonly level: Level }[] = [
  { method: "PUT", path: /\/pulls\/\d+\/merge$/, level: "merge" },
  { method: "POST", path: /\/merges$/, level: "merge" },
  { method: "*", path: /\/(?:pulls|git|contents|actions|check-runs|statuses)(?:\/|$)/, level: "draft" },
];

/** Returns the first level at which a request to a repository may be sent; null for one that only reads. */
export function levelOfRequest(method: string, path: string): Level | null {
  if (method === "GET" || method === "HEAD") return null;
  // A reaction to a comment at a line of a pull request is a word, as is one to an issue's.
  if (/\/comments\/\d+\/reactions$/.test(path)) return "comment";
  const found = REQUESTS.find((one) => (one.method === "*" || one.method === method) && one.path.test(path));
  return found?.level ?? "comment";
}

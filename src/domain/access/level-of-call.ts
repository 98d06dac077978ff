import type { GitHub } from "../ports/github.ts";
import type { Worktrees } from "../ports/worktrees.ts";
import type { Level } from "./level.ts";

/**
 * The lowest level at which a call may be made; null where it writes nothing on GitHub. The type demands a row for each
 * method of the port.
 */
export const GITHUB_CALLS: Readonly<Record<keyof GitHub, Level | null>> = {
  identity: null,
  repository: null,
  issue: null,
  issuesWith: null,
  newestIssues: null,
  searchIssues: null,
  labels: null,
  comments: null,
  picture: null,
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
  hasBranch: null,
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
  queuedPull: null,
  filesOf: null,
  takesOnlySigned: null,
  putComment: "comment",
  createIssue: "comment",
  addLabels: "comment",
  addExistingLabels: "comment",
  removeLabel: "comment",
  react: "comment",
  addBlockedBy: "comment",
  closeIssue: "draft",
  addSubIssue: "draft",
  openPullRequest: "draft",
  addFileOnBranch: "draft",
  makeSignedCommit: "draft",
  moveBranch: "draft",
  setPullRequestBody: "draft",
  rerunJob: "draft",
  writeReview: "draft",
  putCheck: "draft",
  mergePull: "merge",
  enqueuePull: "merge",
  dequeuePull: "merge",
};

/**
 * The lowest level for each call of git. A checkpoint is saved at any level, and pushed only from the level at which
 * work may leave the machine.
 */
export const GIT_CALLS: Readonly<Record<keyof Worktrees, Level | null>> = {
  prepare: null,
  status: null,
  commit: null,
  push: "draft",
  pending: null,
  checkpoint: null,
  pushCheckpoint: "draft",
  restore: null,
  tree: null,
  diff: null,
  filesAt: null,
  blob: null,
  texts: null,
  inspect: null,
  changedFiles: null,
  behind: null,
  digest: null,
  checkout: null,
  removeCheckout: null,
  remove: null,
  forget: null,
  tidy: null,
  keepSetup: null,
  restoreSetup: null,
  dropSetups: null,
  compareBranches: null,
  changeOf: null,
  updateBranch: "merge",
  mergedOnto: null,
  bringIn: null,
};

/** Requests, by method and path, that need a higher level than `comment`. */
const REQUESTS: readonly { readonly method: string; readonly path: RegExp; readonly level: Level }[] = [
  { method: "PUT", path: /\/pulls\/\d+\/merge$/, level: "merge" },
  { method: "POST", path: /\/merges$/, level: "merge" },
  // The only mutations of GraphQL that are sent are about GitHub's merge queue.
  { method: "POST", path: /\/graphql$/, level: "merge" },
  { method: "*", path: /\/(?:pulls|git|contents|actions|check-runs|statuses)(?:\/|$)/, level: "draft" },
];

/** Returns the lowest level at which a request to a repository may be sent; null for one that only reads. */
export function levelOfRequest(method: string, path: string): Level | null {
  if (method === "GET" || method === "HEAD") return null;
  // A reaction to a review comment needs the same level as one to a comment of an issue.
  if (/\/comments\/\d+\/reactions$/.test(path)) return "comment";
  const found = REQUESTS.find((one) => (one.method === "*" || one.method === method) && one.path.test(path));
  return found?.level ?? "comment";
}

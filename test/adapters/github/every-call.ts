import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import { appFromManifest } from "../../../src/adapters/github/app/from-manifest.ts";
import { createSignedMarker } from "../../../src/adapters/github/app/signed-marker.ts";
import { PRIVATE_KEY, REPOSITORY, SILENT, stoppedClock } from "./mocked-github.ts";

const SECRET = "secret of the markers";
const KEY = "key-1";
const TEXT = Buffer.from("*.bin filter=lfs\n").toString("base64");
/** The text of a comment, issue, pull request or review that the generated bot has written. */
const OURS = createSignedMarker(SECRET).sign(REPOSITORY.id, KEY, "Text");

type GitHub = ReturnType<typeof createGitHub>;

/** A call of the port, and how the generated answers must be changed for it: by operation, which is given the answer. */
export interface Call {
  readonly run: (github: GitHub, baseUrl: string) => Promise<unknown>;
  readonly answers?: Readonly<Record<string, (generated: readonly unknown[]) => unknown>>;
  /** The operation that is answered with 404. */
  readonly missing?: string;
  /** True where the answer is only read undamaged: another call damages a shorter one. */
  readonly whole?: boolean;
}

export function clientOf(baseUrl: string) {
  const clock = stoppedClock();
  const github = createGitHub({
    appId: 1,
    privateKey: PRIVATE_KEY,
    baseUrl,
    markerSecret: SECRET,
    labels: [{ name: "needs-human", color: "#d93f0b", description: "A person must act" }],
    clock,
    log: SILENT,
    minted: () => {},
  });
  return { github, clock };
}

const TREE = "d".repeat(40);
const withFields = (more: object) => (generated: readonly unknown[]) => ({
  ...Object(generated[0]),
  ...more,
});
/** The items of a generated list. */
const firstOf = (generated: readonly unknown[]): readonly unknown[] =>
  Array.isArray(generated[0]) ? generated[0] : [];
/** Without the marker nothing is found, and it is made. */
const COMMENTS = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
const COMMENT = "GET /repos/{owner}/{repo}/issues/comments/{comment_id}";
const ISSUES = "GET /repos/{owner}/{repo}/issues";
const noPull = (generated: readonly unknown[]) => [
  withFields({ pull_request: undefined })(firstOf(generated)),
];
const QUEUED_PULL = "POST /graphql QueuedPull";
const queuedPull = (isInMergeQueue: boolean) => ({
  data: {
    repository: {
      pullRequest: {
        id: "PR_1",
        isInMergeQueue,
        timelineItems: {
          nodes: [
            {
              createdAt: "2026-01-01T11:00:00Z",
              reason: "failed_checks",
              actor: { __typename: "Bot", login: "github-merge-queue" },
              beforeCommit: { oid: "b".repeat(40) },
            },
          ],
        },
      },
    },
  },
});
const NOON = "2026-01-01T12:00:00Z";
const closingPull = {
  number: 4,
  merged: true,
  createdAt: NOON,
  headRefOid: "a".repeat(40),
  headRefName: "topic",
  mergeCommit: { oid: "b".repeat(40) },
  closingIssuesReferences: { totalCount: 1 },
};
const edited = {
  author: { login: "octocat" },
  body: "Text",
  createdAt: NOON,
  lastEditedAt: NOON,
  userContentEdits: { nodes: [{ editedAt: NOON, diff: "Text" }] },
};
const closedIssues = {
  data: {
    repository: {
      issues: {
        pageInfo: { hasNextPage: false, endCursor: "1" },
        nodes: [
          {
            number: 3,
            title: "T",
            ...edited,
            comments: { nodes: [edited] },
            closedByPullRequestsReferences: { nodes: [closingPull] },
            timelineItems: {
              nodes: [
                { __typename: "RenamedTitleEvent", createdAt: NOON, previousTitle: "S" },
                { __typename: "ClosedEvent", closer: { __typename: "PullRequest", ...closingPull } },
                {
                  __typename: "ClosedEvent",
                  closer: { __typename: "Commit", associatedPullRequests: { nodes: [closingPull] } },
                },
              ],
            },
          },
        ],
      },
    },
  },
};
const SEARCH = "GET /search/issues";
const foundHere = (generated: readonly unknown[]) => {
  const { items } = Object(generated[0]);
  return {
    ...Object(generated[0]),
    items: [{ ...Object(items[0]), repository_url: `https://github.test/repos/${owner}/${name}` }],
  };
};
const EVENTS = "GET /repos/{owner}/{repo}/issues/{issue_number}/events";
/** One without anything special, one of a label, one of an assignment. */
const someEvents = (generated: readonly unknown[]) => {
  const all = firstOf(generated).map((one) => Object(one));
  return [all.at(-1), all.find((one) => "label" in one), all.find((one) => "assigner" in one)];
};
const RULES = "GET /repos/{owner}/{repo}/rules/branches/{branch}";
const rules =
  (...types: readonly string[]) =>
  (generated: readonly unknown[]) =>
    firstOf(generated).filter((one) => types.includes(Object(one).type));
const RUNS = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
const CONTENTS = "GET /repos/{owner}/{repo}/contents/{path}";
const aFile = (generated: readonly unknown[]) => ({
  ...Object(generated.find((one) => Object(one).type === "file")),
  size: 17,
  content: TEXT,
});
const aDirectory = (generated: readonly unknown[]) => generated.find((one) => Array.isArray(one));
const once = { key: KEY, body: "Text" };
const { owner, name } = REPOSITORY;
const check = {
  name: "gate",
  commit: "c".repeat(40),
  conclusion: null,
  title: "T",
  summary: "S",
  detailsUrl: "https://flotilla.test/agents/a",
  create: true,
};

/** Every call of the room that reads an answer of GitHub's, by name. */
export const CALLS: Readonly<Record<string, Call>> = {
  identity: {
    run: (github) => github.identity(),
    answers: {
      "GET /app/installations": (generated) => [withFields({ suspended_at: null })(firstOf(generated))],
    },
  },
  repository: { run: (github) => github.repository(REPOSITORY) },
  permission: {
    run: (github) => github.permission(REPOSITORY, { login: "octocat", id: 1 }),
    answers: {
      "GET /repos/{owner}/{repo}/collaborators/{username}/permission": withFields({
        permission: "write",
        role_name: "maintain",
      }),
    },
  },
  gitToken: { run: (github) => github.gitToken(REPOSITORY) },
  checks: { run: (github) => github.checks(REPOSITORY, "main") },
  requiredChecks: {
    run: (github) => github.requiredChecks(REPOSITORY, "main"),
    answers: { [RULES]: rules("required_status_checks", "deletion") },
  },
  requiredChecksOfAllKinds: { run: (github) => github.requiredChecks(REPOSITORY, "main"), whole: true },
  failedJob: {
    run: (github) => github.failedJob(REPOSITORY, 9),
    answers: {
      "GET /repos/{owner}/{repo}/actions/jobs/{job_id}": withFields({
        steps: [{ name: "test", status: "completed", conclusion: "failure", number: 1 }],
      }),
    },
  },
  awaitsApproval: { run: (github) => github.awaitsApproval(REPOSITORY, "main") },
  rerunJob: { run: (github) => github.rerunJob(REPOSITORY, 9) },
  issue: { run: (github) => github.issue(REPOSITORY, 3) },
  issuesWith: { run: (github) => github.issuesWith(REPOSITORY, "bug"), answers: { [ISSUES]: noPull } },
  newestIssues: { run: (github) => github.newestIssues(REPOSITORY, 1), answers: { [ISSUES]: noPull } },
  searchIssues: {
    run: (github) => github.searchIssues(REPOSITORY, "words", 5),
    answers: { [SEARCH]: foundHere },
  },
  events: { run: (github) => github.events(REPOSITORY, 3), answers: { [EVENTS]: someEvents } },
  eventsOfAllKinds: { run: (github) => github.events(REPOSITORY, 3), whole: true },
  createIssue: { run: (github) => github.createIssue(REPOSITORY, { ...once, title: "T" }) },
  closeIssue: { run: (github) => github.closeIssue(REPOSITORY, 3) },
  comments: { run: (github) => github.comments(REPOSITORY, 3) },
  picture: {
    run: (github) => github.picture(REPOSITORY, { place: { kind: "issue", number: 3 }, asset: "a" }),
  },
  pictureOfComment: {
    run: (github) => github.picture(REPOSITORY, { place: { kind: "comment", number: 3, id: 9 }, asset: "a" }),
  },
  putComment: { run: (github) => github.putComment(REPOSITORY, 3, { ...once, knownId: undefined }) },
  putKnownComment: {
    run: (github) => github.putComment(REPOSITORY, 3, { ...once, body: "Other", knownId: 9 }),
    answers: { [COMMENT]: withFields({ body: OURS }) },
  },
  putFoundComment: {
    run: (github) => github.putComment(REPOSITORY, 3, { ...once, body: "Other", knownId: undefined }),
    answers: { [COMMENTS]: (generated) => [withFields({ body: OURS })(firstOf(generated))] },
  },
  react: { run: (github) => github.react(REPOSITORY, 9, "eyes") },
  reactToReview: { run: (github) => github.react(REPOSITORY, 9, "eyes", "review") },
  reactions: { run: (github) => github.reactions(REPOSITORY, 9) },
  addLabels: { run: (github) => github.addLabels(REPOSITORY, 3, ["bug"]) },
  labels: { run: (github) => github.labels(REPOSITORY) },
  addExistingLabels: { run: (github) => github.addExistingLabels(REPOSITORY, 3, ["bug"]) },
  addNewLabel: {
    run: (github) => github.addLabels(REPOSITORY, 3, ["needs-human"]),
    missing: "GET /repos/{owner}/{repo}/labels/{name}",
  },
  removeLabel: { run: (github) => github.removeLabel(REPOSITORY, 3, "bug") },
  pullRequest: { run: (github) => github.pullRequest(REPOSITORY, 4) },
  pullRequests: { run: (github) => github.pullRequests(REPOSITORY, {}) },
  reviews: { run: (github) => github.reviews(REPOSITORY, 4) },
  reviewComments: { run: (github) => github.reviewComments(REPOSITORY, 4) },
  openPullRequest: {
    run: (github) =>
      github.openPullRequest(REPOSITORY, { ...once, title: "T", head: "h", base: "main", draft: false }),
  },
  pullRequestFiles: { run: (github) => github.pullRequestFiles(REPOSITORY, 4) },
  setPullRequestBody: { run: (github) => github.setPullRequestBody(REPOSITORY, 4, "Text") },
  blockedBy: { run: (github) => github.blockedBy(REPOSITORY, 3) },
  parentOf: { run: (github) => github.parentOf(REPOSITORY, 3) },
  addBlockedBy: { run: (github) => github.addBlockedBy(REPOSITORY, 3, 2) },
  subIssues: { run: (github) => github.subIssues(REPOSITORY, 3) },
  addSubIssue: { run: (github) => github.addSubIssue(REPOSITORY, 3, 2) },
  mergeablePull: { run: (github) => github.mergeablePull(REPOSITORY, 4) },
  mergeDemands: {
    run: (github) => github.mergeDemands(REPOSITORY, "main"),
    answers: { [RULES]: rules("required_status_checks", "pull_request", "merge_queue") },
  },
  readyToMerge: { run: (github) => github.readyToMerge(REPOSITORY) },
  mergePull: { run: (github) => github.mergePull(REPOSITORY, 4, { head: "a".repeat(40), method: "squash" }) },
  queuedPull: {
    run: (github) => github.queuedPull(REPOSITORY, 4),
    answers: { [QUEUED_PULL]: () => queuedPull(false) },
  },
  closedIssues: {
    run: async (github) => Array.fromAsync(github.closedIssues(REPOSITORY)),
    answers: { "POST /graphql ClosedIssues": () => closedIssues },
  },
  enqueuePull: {
    run: (github) => github.enqueuePull(REPOSITORY, 4, { head: "a".repeat(40) }),
    answers: {
      [QUEUED_PULL]: () => queuedPull(false),
      "POST /graphql EnqueuePull": () => ({
        data: { enqueuePullRequest: { mergeQueueEntry: { id: "MQE_1" } } },
      }),
    },
  },
  dequeuePull: {
    run: (github) => github.dequeuePull(REPOSITORY, 4),
    answers: {
      [QUEUED_PULL]: () => queuedPull(true),
      "POST /graphql DequeuePull": () => ({
        data: { dequeuePullRequest: { mergeQueueEntry: { id: "MQE_1" } } },
      }),
    },
  },
  filesOf: {
    run: async (github) => Object.fromEntries(await github.filesOf(REPOSITORY, ["README.md"])),
    answers: { [CONTENTS]: aFile },
  },
  addFileOnBranch: {
    run: (github) =>
      github.addFileOnBranch(REPOSITORY, {
        branch: "propose",
        base: "main",
        path: "a.yml",
        content: "a: 1",
        message: "Add a.yml",
      }),
  },
  takesOnlySigned: {
    run: (github) => github.takesOnlySigned(REPOSITORY, ["main"]),
    answers: { [RULES]: rules("required_signatures") },
  },
  makeSignedCommit: {
    run: (github) => github.makeSignedCommit(REPOSITORY, { tree: TREE, parents: [], message: "Work" }),
    answers: {
      "POST /repos/{owner}/{repo}/git/commits": withFields({
        tree: { sha: TREE },
        verification: { verified: true, reason: "valid" },
      }),
    },
  },
  moveBranch: { run: (github) => github.moveBranch(REPOSITORY, "flotilla/a", "c".repeat(40)) },
  writeReview: {
    run: (github) =>
      github.writeReview(REPOSITORY, 4, {
        ...once,
        event: "COMMENT",
        commit: "c".repeat(40),
        comments: [],
        bodyWithComments: "Text",
      }),
  },
  putKnownCheck: { run: (github) => github.putCheck(REPOSITORY, check) },
  putCheck: {
    run: (github) => github.putCheck(REPOSITORY, check),
    answers: { [RUNS]: withFields({ check_runs: [] }) },
  },
  hasBranch: { run: (github) => github.hasBranch(REPOSITORY, "release-1") },
  repositoryLimits: {
    run: (github) => github.repositoryLimits(REPOSITORY, "main"),
    answers: { [CONTENTS]: aFile, [RULES]: rules("required_signatures") },
  },
  directory: {
    run: (github) => github.directory(REPOSITORY, ".flotilla"),
    answers: { [CONTENTS]: aDirectory },
  },
  file: { run: (github) => github.file(REPOSITORY, "a.yml"), answers: { [CONTENTS]: aFile } },
  hookAttempts: { run: (github) => github.hookAttempts(0) },
  redeliver: { run: (github) => github.redeliver(9) },
  appSettings: { run: (github) => github.appSettings() },
  isInstalled: { run: (github) => github.isInstalled({ owner, name }) },
  installedAt: { run: (github) => github.installedAt({ owner, name }) },
  missingLabels: { run: (github) => github.missingLabels(REPOSITORY, ["bug"]) },
  appFromManifest: {
    run: (_, baseUrl) => appFromManifest({ baseUrl, code: "code", clock: stoppedClock(), log: SILENT }),
  },
};

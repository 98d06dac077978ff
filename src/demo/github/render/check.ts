import type { GitCommit } from "../git/read-commits.ts";
import type { CheckRun, CheckSuite, CommitStatus, PullRequest, Repository } from "../world/records.ts";
import { fullNameOf, nodeId, type World } from "../world/world.ts";
import { renderAccount } from "./account.ts";
import { renderViaApp } from "./app.ts";
import { pullUrl } from "./pull.ts";

const ACTIONS = { slug: "github-actions", name: "GitHub Actions" };

function renderPullMinimal(
  world: World,
  repository: Repository,
  issue: PullRequest,
): Record<string, unknown> {
  const repo = {
    id: repository.id,
    url: `${world.api}/repos/${fullNameOf(repository)}`,
    name: repository.name,
  };
  return {
    id: issue.pull.id,
    number: issue.number,
    url: pullUrl(world, repository, issue.number),
    head: { ref: issue.pull.headRef, sha: issue.pull.headSha, repo },
    base: { ref: issue.pull.baseRef, sha: issue.pull.baseSha, repo },
  };
}

function pullsAt(world: World, repository: Repository, sha: string): Record<string, unknown>[] {
  const pulls = [...repository.issues.values()].filter(
    (issue): issue is PullRequest => issue.pull?.headSha === sha && issue.state === "open",
  );
  return pulls.map((issue) => renderPullMinimal(world, repository, issue));
}

export function renderCheckRun(world: World, repository: Repository, run: CheckRun): Record<string, unknown> {
  const url = `${world.api}/repos/${fullNameOf(repository)}/check-runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId("CheckRun", run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: `${world.origin}/${fullNameOf(repository)}/runs/${run.id}`,
    details_url: run.detailsUrl,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: { ...run.output, annotations_count: 0, annotations_url: `${url}/annotations` },
    check_suite: { id: run.suite.id },
    app: { ...renderViaApp(world, true), ...(run.job === null ? {} : ACTIONS) },
    pull_requests: pullsAt(world, repository, run.headSha),
  };
}

/** Renders the run as its webhook shows it, with more of its suite. */
export function renderCheckRunEvent(
  world: World,
  repository: Repository,
  run: CheckRun,
): Record<string, unknown> {
  const rendered = renderCheckRun(world, repository, run);
  return {
    ...rendered,
    check_suite: {
      id: run.suite.id,
      node_id: nodeId("CheckSuite", run.suite.id),
      head_branch: branchAt(repository, run.headSha),
      head_sha: run.headSha,
      status: run.status,
      conclusion: run.conclusion,
      url: `${world.api}/repos/${fullNameOf(repository)}/check-suites/${run.suite.id}`,
      before: null,
      after: run.headSha,
      app: rendered["app"],
      pull_requests: rendered["pull_requests"],
      created_at: run.suite.createdAt,
      updated_at: run.suite.updatedAt,
    },
  };
}

export function renderCheckSuite(
  world: World,
  repository: Repository,
  suite: CheckSuite,
  commit: GitCommit,
): Record<string, unknown> {
  const runs = repository.checkRuns.filter((run) => run.suite === suite);
  const url = `${world.api}/repos/${fullNameOf(repository)}/check-suites/${suite.id}`;
  const worst = runs.find((run) => run.conclusion !== "success")?.conclusion ?? "success";
  return {
    id: suite.id,
    node_id: nodeId("CheckSuite", suite.id),
    head_branch: branchAt(repository, suite.headSha),
    head_sha: suite.headSha,
    status: "completed",
    conclusion: worst,
    url,
    before: commit.parents[0] ?? null,
    after: suite.headSha,
    pull_requests: pullsAt(world, repository, suite.headSha),
    app: renderViaApp(world, true),
    created_at: suite.createdAt,
    updated_at: suite.updatedAt,
    rerequestable: true,
    runs_rerequestable: true,
    latest_check_runs_count: runs.length,
    check_runs_url: `${url}/check-runs`,
    head_commit: {
      id: commit.sha,
      tree_id: commit.tree,
      message: commit.message,
      timestamp: commit.committer.date,
      author: { name: commit.author.name, email: commit.author.email },
      committer: { name: commit.committer.name, email: commit.committer.email },
    },
  };
}

function branchAt(repository: Repository, sha: string): string | null {
  const pulls = [...repository.issues.values()];
  return pulls.find((issue) => issue.pull?.headSha === sha)?.pull?.headRef ?? repository.defaultBranch;
}

export function renderStatus(
  world: World,
  repository: Repository,
  status: CommitStatus,
): Record<string, unknown> {
  return {
    url: `${world.api}/repos/${fullNameOf(repository)}/statuses/${status.sha}`,
    avatar_url: `${world.origin}/avatars/u/${status.creator.id}`,
    id: status.id,
    node_id: nodeId("StatusContext", status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator: renderAccount(world, status.creator),
  };
}

import { countCommits } from "../git/read-commits.ts";
import { readRef, resolveCommit, updateRef, zeroSha } from "../git/refs.ts";
import { commitFiles, type FileChanges } from "../git/write-files.ts";
import { ApiError, invalid } from "../http/answer.ts";
import { renderAccount } from "../render/account.ts";
import type { Account, Fork, PullRequest, Repository } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { assignable } from "./assignees.ts";
import { asPull, emitIssue, stampUpdated } from "./emit.ts";
import { addIssue } from "./issues.ts";
import { dequeuePull } from "./leave-queue.ts";
import { readPullFacts } from "./pull-facts.ts";

function refused(message: string): ApiError {
  return new ApiError(422, "Validation Failed", {
    errors: [{ resource: "PullRequest", code: "custom", message }],
  });
}

/** Returns the open pull requests of a repository. */
export function openPulls(repository: Repository): PullRequest[] {
  return [...repository.issues.values()].flatMap((issue) =>
    issue.state === "open" ? (asPull(issue) ?? []) : [],
  );
}

/** Opens a pull request between two branches, or refuses as GitHub does (422). `head` may be `owner:branch`. */
export async function openPull(
  world: World,
  repository: Repository,
  opened: {
    author: Account;
    viaApp: boolean;
    title: string;
    body: string | null;
    head: string;
    base: string;
    draft: boolean;
  },
): Promise<PullRequest> {
  const { base } = opened;
  const [owner, branch] = opened.head.includes(":")
    ? opened.head.split(":", 2)
    : [repository.owner.login, opened.head];
  const head = branch ?? "";
  const { directory } = repository;
  const headSha = await readRef(directory, `refs/heads/${head}`);
  if (headSha === undefined || owner?.toLowerCase() !== repository.owner.login.toLowerCase()) {
    throw invalid("PullRequest", "head", { code: "invalid" });
  }
  const baseSha = await readRef(directory, `refs/heads/${base}`);
  if (baseSha === undefined) throw invalid("PullRequest", "base", { code: "invalid" });
  if (
    openPulls(repository).some(
      ({ pull }) => pull.fork === null && pull.headRef === head && pull.baseRef === base,
    )
  ) {
    throw refused(`A pull request already exists for ${repository.owner.login}:${head}.`);
  }
  if ((await countCommits(directory, `${baseSha}..${headSha}`)) === 0) {
    throw refused(`No commits between ${base} and ${head}`);
  }
  return addPull(world, repository, { ...opened, fork: null, head, headSha, baseSha });
}

/** Opens a pull request of a person from a branch of their fork, with one commit on the default branch. */
export async function openForksPull(
  world: World,
  repository: Repository,
  author: Account,
  { title, body, branch, files }: { title: string; body: string; branch: string; files: FileChanges },
): Promise<PullRequest> {
  const { directory, defaultBranch: base } = repository;
  const baseSha = await readRef(directory, `refs/heads/${base}`);
  if (baseSha === undefined) throw invalid("PullRequest", "base", { code: "invalid" });
  const fork = { id: world.nextId(), owner: author };
  const headSha = await commitFiles(directory, {
    branch,
    ref: `refs/forks/${author.login}/${branch}`,
    parent: baseSha,
    message: title,
    author: { name: author.name, email: author.email, at: world.nowMs() },
    files,
  });
  const opened = { author, viaApp: false, title, body, head: branch, base, draft: false };
  return addPull(world, repository, { ...opened, fork, headSha, baseSha });
}

async function addPull(
  world: World,
  repository: Repository,
  opened: {
    author: Account;
    viaApp: boolean;
    title: string;
    body: string | null;
    fork: Fork | null;
    head: string;
    headSha: string;
    base: string;
    baseSha: string;
    draft: boolean;
  },
): Promise<PullRequest> {
  const { author, viaApp, title, body, fork, head, headSha, base, baseSha, draft } = opened;
  const { directory } = repository;
  const facts = await readPullFacts(directory, headSha, baseSha);
  const pull = {
    id: world.nextId(),
    fork,
    headRef: head,
    headSha,
    baseRef: base,
    baseSha,
    ...facts,
    draft,
    mergedAt: null,
    mergedBy: null,
    mergeCommitSha: null,
    requestedReviewers: [],
    reviews: [],
    reviewComments: [],
    leftQueue: null,
  };
  const issue = Object.assign(addIssue(world, repository, { author, viaApp, title, body, pull }), { pull });
  await updateRef(directory, `refs/pull/${issue.number}/head`, headSha, zeroSha);
  emitIssue(world, repository, issue, author, "opened");
  return issue;
}

/** Changes the base branch of an open pull request. Returns what the `edited` webhook says about it. */
export async function changeBase(
  repository: Repository,
  issue: PullRequest,
  base: string,
): Promise<Record<string, unknown>> {
  const { pull } = issue;
  if (base === pull.baseRef) return {};
  const baseSha = await resolveCommit(repository.directory, base);
  if (baseSha === undefined) throw invalid("PullRequest", "base", { code: "invalid" });
  const changes = { base: { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } } };
  Object.assign(pull, {
    baseRef: base,
    baseSha,
    ...(await readPullFacts(repository.directory, pull.headSha, baseSha)),
  });
  return changes;
}

/** Updates an open pull request whose head moved. */
export async function synchronizePull(
  world: World,
  repository: Repository,
  sender: Account,
  issue: PullRequest,
  after: string,
): Promise<void> {
  const { pull } = issue;
  const before = pull.headSha;
  // The queue had checked another commit.
  dequeuePull(world, repository, sender, issue, "other");
  const { directory } = repository;
  pull.baseSha = (await readRef(directory, `refs/heads/${pull.baseRef}`)) ?? pull.baseSha;
  pull.headSha = after;
  Object.assign(pull, await readPullFacts(directory, after, pull.baseSha));
  await updateRef(directory, `refs/pull/${issue.number}/head`, after, before);
  stampUpdated(world, issue);
  emitIssue(world, repository, issue, sender, "synchronize", { before, after });
}

export function setDraft(
  world: World,
  repository: Repository,
  sender: Account,
  issue: PullRequest,
  draft: boolean,
): void {
  if (issue.pull.draft === draft) return;
  issue.pull.draft = draft;
  stampUpdated(world, issue);
  emitIssue(world, repository, issue, sender, draft ? "converted_to_draft" : "ready_for_review");
}

export function requestReviewers(
  world: World,
  repository: Repository,
  sender: Account,
  issue: PullRequest,
  logins: readonly string[],
): void {
  for (const login of logins) {
    const account = assignable(world, repository).find(
      (entry) => entry.login.toLowerCase() === login.toLowerCase(),
    );
    if (account === undefined) {
      throw new ApiError(
        422,
        "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator.",
      );
    }
    if (account === issue.author)
      throw new ApiError(422, "Review cannot be requested from pull request author.");
    if (issue.pull.requestedReviewers.includes(account)) continue;
    issue.pull.requestedReviewers.push(account);
    const fields = { requested_reviewer: renderAccount(world, account) };
    emitIssue(world, repository, issue, sender, "review_requested", fields);
  }
}

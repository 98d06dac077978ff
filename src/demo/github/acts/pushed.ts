import { readCommits } from "../git/read-commits.ts";
import { readDiff } from "../git/read-diff.ts";
import { isAncestor, zeroSha } from "../git/refs.ts";
import { renderAccount } from "../render/account.ts";
import { renderPushedCommit } from "../render/commit.ts";
import { renderRepository } from "../render/repository.ts";
import type { Account, Repository } from "../world/records.ts";
import { fullNameOf, now, type World } from "../world/world.ts";
import { closingWords } from "./closing-words.ts";
import { closeIssue } from "./issues.ts";
import { markMerged } from "./mark-merged.ts";
import { openPulls, synchronizePull } from "./pulls.ts";

/** A ref that moved. `zeroSha` means that the ref does not exist. */
export interface RefChange {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}

/** The empty tree, which git knows in every repository. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * Applies everything that follows from moved refs: create, delete and push webhooks; pull requests follow their head,
 * are closed with it, or are merged because the base now contains them; commits close issues. Refs outside refs/heads
 * and refs/tags are kept without webhooks.
 */
export async function afterPush(
  world: World,
  repository: Repository,
  sender: Account,
  changes: readonly RefChange[],
): Promise<void> {
  for (const change of changes) {
    const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(change.ref) ?? [];
    if (name === undefined) continue;
    repository.pushedAt = now(world);
    const refType = kind === "heads" ? "branch" : "tag";
    const about = { ref: name, ref_type: refType, pusher_type: "user" };
    const common = { repository, sender, action: null };
    if (change.before === zeroSha) {
      const fields = { ...about, master_branch: repository.defaultBranch, description: null };
      world.emit({ event: "create", ...common, fields });
    }
    if (change.after === zeroSha) world.emit({ event: "delete", ...common, fields: about });
    await emitPush(world, repository, sender, change);
    if (refType === "branch") await followBranch(world, repository, sender, name, change);
  }
}

async function followBranch(
  world: World,
  repository: Repository,
  sender: Account,
  branch: string,
  change: RefChange,
): Promise<void> {
  const { directory } = repository;
  const gone = change.after === zeroSha;
  for (const issue of openPulls(repository)) {
    const { pull } = issue;
    if (pull.baseRef === branch && !gone && (await isAncestor(directory, pull.headSha, change.after))) {
      markMerged(world, repository, sender, issue, change.after);
    } else if (pull.fork === null && pull.headRef === branch) {
      if (gone) closeIssue(world, repository, sender, issue);
      else if (pull.headSha !== change.after)
        await synchronizePull(world, repository, sender, issue, change.after);
    }
  }
  if (branch !== repository.defaultBranch || gone || change.before === zeroSha) return;
  for (const { message } of await readCommits(directory, [`${change.before}..${change.after}`])) {
    for (const number of closingWords(message, fullNameOf(repository))) {
      const issue = repository.issues.get(number);
      if (issue?.pull === null) closeIssue(world, repository, sender, issue);
    }
  }
}

function secondsOf(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}

async function emitPush(
  world: World,
  repository: Repository,
  sender: Account,
  change: RefChange,
): Promise<void> {
  const { directory } = repository;
  const { ref, before, after } = change;
  const created = before === zeroSha;
  const deleted = after === zeroSha;
  const range = created ? [after, `^refs/heads/${repository.defaultBranch}`] : [`${before}..${after}`];
  const fresh = deleted ? [] : await readCommits(directory, range, 2048);
  const head = deleted ? undefined : (await readCommits(directory, [after], 1))[0];
  const render = async (commit: NonNullable<typeof head>): Promise<Record<string, unknown>> =>
    renderPushedCommit(
      world,
      repository,
      commit,
      await readDiff(directory, commit.parents[0] ?? emptyTree, commit.sha),
      true,
    );
  const commits = [];
  for (const commit of fresh.toReversed()) commits.push(await render(commit));
  const page = `${world.origin}/${fullNameOf(repository)}`;
  const { owner } = repository;
  const fields = {
    ref,
    before,
    after,
    created,
    deleted,
    forced: !created && !deleted && !(await isAncestor(directory, before, after)),
    base_ref: null,
    compare:
      created || deleted
        ? `${page}/commit/${(created ? after : before).slice(0, 12)}`
        : `${page}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits,
    head_commit: head === undefined ? null : await render(head),
    pusher: { name: sender.login, email: sender.email },
    // The push webhook shows the repository in an older form than all others.
    repository: {
      ...renderRepository(world, repository),
      owner: { ...renderAccount(world, owner), name: owner.login, email: owner.email },
      url: page,
      created_at: secondsOf(repository.createdAt),
      pushed_at: secondsOf(repository.pushedAt),
      stargazers: 0,
      master_branch: repository.defaultBranch,
      organization: owner.login,
    },
  };
  world.emit({ event: "push", action: null, repository, sender, fields });
}

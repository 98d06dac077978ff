import { mergeCommits } from "../git/merge.ts";
import { isAncestor, readRef, updateRef } from "../git/refs.ts";
import { ApiError } from "../http/answer.ts";
import type { Account, PullRequest, QueueEntry, Repository } from "../world/records.ts";
import { now, type World } from "../world/world.ts";
import { asPull, emitIssue } from "./emit.ts";
import { dequeuePull, queueEntryOf } from "./leave-queue.ts";
import { markMerged } from "./mark-merged.ts";
import { afterPush } from "./pushed.ts";
import { brokenRule, isGreen, isRed, rulesOf } from "./rules.ts";

const refused = (message: string) => new ApiError(422, message);

/** Adds a pull request to the queue, or refuses as GitHub does. */
export async function enqueuePull(
  world: World,
  repository: Repository,
  sender: Account,
  issue: PullRequest,
  expectedHead: string | undefined,
): Promise<QueueEntry> {
  const { pull } = issue;
  if (!rulesOf(repository, pull.baseRef).mergeQueue)
    throw refused("Merge queue is not enabled for this branch");
  if (queueEntryOf(repository, issue) !== undefined)
    throw refused("Pull request is already in the merge queue");
  if (expectedHead !== undefined && expectedHead !== pull.headSha)
    throw refused("Head sha didn't match expected head");
  if (issue.state === "closed" || pull.draft) throw refused("Pull request is not in a mergeable state");
  const base = (await readRef(repository.directory, `refs/heads/${pull.baseRef}`)) ?? "";
  const broken = await brokenRule(repository, issue, base);
  if (broken?.state === "blocked") throw refused(broken.message);
  const commit = await groupCommit(world, repository, issue, repository.queue.at(-1)?.commit ?? base);
  if (commit === undefined) throw refused("Pull request has merge conflicts");
  const entry = { id: world.nextId(), number: issue.number, commit, enqueuer: sender, at: now(world) };
  repository.queue.push(entry);
  emitIssue(world, repository, issue, sender, "enqueued");
  return entry;
}

/** Merges from the front what is green, and takes out what is red; what waits for its checks ends it. */
export async function settleQueue(world: World, repository: Repository): Promise<void> {
  for (;;) {
    const [entry] = repository.queue;
    const known = entry && repository.issues.get(entry.number);
    const issue = known && asPull(known);
    if (entry === undefined || issue === undefined) return;
    const { checks } = rulesOf(repository, issue.pull.baseRef);
    const ref = `refs/heads/${issue.pull.baseRef}`;
    const base = (await readRef(repository.directory, ref)) ?? "";
    if (!(await isAncestor(repository.directory, base, entry.commit))) {
      // The branch has moved, or what was before it has left: it is tried on what is there now.
      const commit = await groupCommit(world, repository, issue, base);
      if (commit === undefined) dequeuePull(world, repository, world.app.bot, issue, "conflict");
      else Object.assign(entry, { commit });
    }
    if (queueEntryOf(repository, issue) === undefined) continue;
    if (checks.some((name) => isRed(repository, entry.commit, name))) {
      dequeuePull(world, repository, entry.enqueuer, issue, "checks");
      continue;
    }
    if (!checks.every((name) => isGreen(repository, entry.commit, name))) return;
    dequeuePull(world, repository, entry.enqueuer, issue, "merged");
    await updateRef(repository.directory, ref, entry.commit, base);
    markMerged(world, repository, entry.enqueuer, issue, entry.commit);
    await afterPush(world, repository, entry.enqueuer, [{ ref, before: base, after: entry.commit }]);
  }
}

/** Returns the commit that the queue checks: the pull request on top of that commit; undefined for a conflict. */
async function groupCommit(
  world: World,
  repository: Repository,
  issue: PullRequest,
  base: string,
): Promise<string | undefined> {
  const { name, email } = issue.author;
  return mergeCommits(repository.directory, {
    base,
    head: issue.pull.headSha,
    method: "squash",
    message: `${issue.title} (#${issue.number})`,
    author: { name, email, at: world.nowMs() },
  });
}

import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { CODE_OWNERS_FILES, type CodeOwners, codeOwners } from "../../domain/merge-queue/code-owners.ts";
import { approvingOf } from "../../domain/merge-queue/pull-approvals.ts";
import { type LimitedRisk, riskOfMerge } from "../../domain/merge-queue/risk.ts";
import { patternsOfTests } from "../../domain/merge-queue/test-places.ts";
import type { GitHubReview } from "../../domain/ports/github.ts";
import type { Change } from "../../domain/ports/worktrees.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { MergeQueueEntry } from "./entries.ts";
import { failuresOf } from "./failures-of.ts";

/** Bytes of a CODEOWNERS file that is read. */
const MOST_BYTES = 256 * 1024;

/**
 * Returns the risk of merging the head of the entry's branch into the head of its base, from what git, GitHub and the
 * database say now; null where no limit is set.
 */
export async function riskNow(
  context: EngineContext,
  repository: RepositoryRow,
  { entry, reviews }: { readonly entry: MergeQueueEntry; readonly reviews: readonly GitHubReview[] },
): Promise<LimitedRisk | null> {
  const { store, worktrees, identity } = context;
  const { merge, policy } = context.settingsOf(repository.id);
  const { task, coder, comparison } = entry;
  const { head, base } = comparison;
  if (merge.maxRisk === undefined || head === null) return null;
  const work = new Set([head, task.reviewCommit, ...task.carriedFrom]);
  const rows = (await store.evidence.ofAgent(coder.id)).filter(({ commit }) => work.has(commit));
  const change = await worktrees.changeOf(repository, { base, head });
  const risk = riskOfMerge({
    change,
    filesBefore: await filesBefore(context, repository, { base, change }),
    protectedPaths: policy.protectedPaths,
    weakensTests: rows.some(({ missing }) => missing?.kind === "tests_weakened"),
    proved: rows.filter(({ kind, exitCode }) => kind === "command" && exitCode === 0).length,
    owners: await ownersAt(context, repository, base),
    approvedBy: approvingOf(reviews, identity.botId),
    failures: await failuresOf(store, task),
  });
  return { ...risk, most: merge.maxRisk };
}

/** Files by which it is looked for where tests were. Beyond them a directory may count as one without tests. */
const MOST_FILES = 5000;

async function filesBefore(
  { worktrees }: Pick<EngineContext, "worktrees">,
  repository: RepositoryRow,
  { base, change }: { readonly base: string; readonly change: Change | null },
): Promise<readonly string[]> {
  const patterns = patternsOfTests(change?.files.map(({ path }) => path) ?? []);
  if (patterns.length === 0) return [];
  const found = await worktrees.filesAt(repository, base, { patterns, most: MOST_FILES });
  return found.filter(({ kind }) => kind === "file").map(({ path }) => path);
}

/** Reads the CODEOWNERS file of a commit; null where there is none. */
async function ownersAt(
  { worktrees }: Pick<EngineContext, "worktrees">,
  repository: RepositoryRow,
  commit: string,
): Promise<CodeOwners | null> {
  const most = CODE_OWNERS_FILES.length;
  const found = await worktrees.filesAt(repository, commit, { patterns: CODE_OWNERS_FILES, most });
  const file = CODE_OWNERS_FILES.map((path) => found.find((one) => one.path === path)).find(
    (one) => one !== undefined,
  );
  if (file === undefined) return null;
  if (file.kind !== "file" || file.bytes > MOST_BYTES) return "too_long";
  return codeOwners(await worktrees.blob(repository, file.blob, MOST_BYTES));
}

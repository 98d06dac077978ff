import { type Hold, holdEnds, holdText } from "../breakers/hold.ts";
import type { CheckVerdict } from "../checks/check-verdict.ts";
import { shortCommit } from "../messages/commit-link.ts";
import type { MergeablePull, MergeDemands } from "../ports/github-changes.ts";
import type { BranchComparison } from "../ports/worktrees.ts";
import { type GitHubQueueFacts, stepInQueue } from "./github-queue.ts";
import { type IssueBeforeMerge, issueAgainst } from "./issue-against.ts";
import { againstMerge, type ReviewsAgainst } from "./pull-approvals.ts";
import type { Refusal } from "./refusal.ts";
import type { LimitedRisk } from "./risk.ts";

/** What is known of approved work when its turn in the merge queue has come. */
export interface MergeQueueFacts extends ReviewsAgainst {
  /** The approved commit. */
  readonly reviewCommit: string;
  readonly pull: Pick<MergeablePull, "number" | "state" | "merged" | "draft" | "baseRef" | "mergeState">;
  readonly comparison: BranchComparison;
  /** The branch that the queue merges into. */
  readonly base: string;
  readonly demands: MergeDemands;
  /** Number of people's approving reviews on GitHub that count. */
  readonly approvals: number;
  /** Number of required checks. */
  readonly required: number;
  /** The checks of the head, and whose failure a red one is. */
  readonly checks: CheckVerdict;
  /** The output of the checks that the work itself fails, for its coder. */
  readonly failure: string;
  /** What holds the work: Flotilla then neither merges it nor changes its branch. */
  readonly holds: readonly Hold[];
  /** The work's coder is at work now. */
  readonly coderAtWork: boolean;
  /** The last try for this head and base failed, and the next one is not due yet. */
  readonly refusal: Refusal | null;
  /** The issue of the work. Read only where Flotilla merges; undefined elsewhere. */
  readonly issue?: IssueBeforeMerge | undefined;
  /** Flotilla merges this work. Where people merge, it does not change the branch. */
  readonly merges: boolean;
  /** Where only GitHub's own queue merges; undefined elsewhere. */
  readonly queue?: GitHubQueueFacts | undefined;
  /** The risk of the merge, where Flotilla would merge and a limit is set; undefined elsewhere. */
  readonly risk?: LimitedRisk | undefined;
}

export type MergeQueueStep =
  /** The head is the approved commit plus clean merges of the base only: the approval applies to it. */
  | { readonly kind: "carry"; readonly commit: string }
  /** The base is merged into the branch, so that checks run on the future result. */
  | { readonly kind: "update" }
  | { readonly kind: "wait_checks"; readonly why: string }
  /** Merge it, or add it to GitHub's own queue where only that merges. */
  | { readonly kind: "merge" }
  /** Somebody has merged the work already: nothing is left to do, and the webhook says who. */
  | { readonly kind: "merged" }
  /** `detail` = more for the coder, besides the reason. */
  | {
      readonly kind: "fail";
      readonly cause: "base_moved" | "checks";
      readonly reason: string;
      readonly detail: string;
    }
  /**
   * A review or the state of the issue forbids the merge, and no webhook has reported it: Flotilla reads the issue, and
   * the work moves.
   */
  | { readonly kind: "rejected"; readonly why: string; readonly change: string }
  /** It is in GitHub's own queue, where others may be too. */
  | { readonly kind: "in_queue"; readonly why: string; readonly change: string }
  /** The work is not the cause: others may go first. */
  | { readonly kind: "wait"; readonly why: string; readonly change: string };

const wait = (why: string, change: string): MergeQueueStep => ({ kind: "wait", why, change });

/** Steps that change the pull request or wait to do so: none is taken while something holds the work. */
const HELD: readonly MergeQueueStep["kind"][] = ["update", "wait_checks", "merge", "in_queue"];

/**
 * Returns the next step for the work whose turn it is; a step that waits for people comes before one that makes CI run. For held
 * work the failures are still recorded: its coder continues with them when the hold ends.
 */
export function nextStep(facts: MergeQueueFacts): MergeQueueStep {
  const step = unheld(facts);
  const { merges, holds, refusal, issue } = facts;
  if (merges && holds.length > 0 && HELD.includes(step.kind)) return wait(holdText(holds), holdEnds(holds));
  const against = issue === undefined || !HELD.includes(step.kind) ? null : issueAgainst(issue);
  if (against !== null) return { kind: "rejected", ...against };
  return refusal !== null && refusal.step === step.kind ? wait(refusal.why, refusal.change) : step;
}

function unheld(facts: MergeQueueFacts): MergeQueueStep {
  const { pull, comparison, reviewCommit, checks, required } = facts;
  if (pull.merged) return { kind: "merged" };
  const stopped = unmet(facts);
  if (stopped !== null) return stopped;
  if (comparison.head !== null && comparison.head !== reviewCommit)
    return { kind: "carry", commit: comparison.head };
  const { conflicts, current, shared } = comparison;
  if (conflicts.length > 0)
    return {
      kind: "fail",
      cause: "base_moved",
      reason: conflictReason(pull.number, { base: facts.base, commit: comparison.base, files: conflicts }),
      detail: "",
    };
  const { queue } = facts;
  const queued = queue === undefined ? null : stepInQueue(queue, { pull: pull.number, base: facts.base });
  if (queued !== null) return queued;
  const demanded = required > 0 || facts.demands.upToDate || pull.mergeState === "behind";
  // GitHub's queue tries the work on the newest base itself, and says `blocked` of a pull request that only it may merge.
  if (queue !== undefined) return byChecks(facts, checks) ?? { kind: "merge" };
  if (facts.merges && !current && (demanded || shared.length > 0)) return { kind: "update" };
  const checked = byChecks(facts, checks);
  if (checked !== null) return checked;
  if (pull.mergeState === "blocked")
    return wait(
      `GitHub says that the rules of \`${facts.base}\` are not met by #${pull.number}`,
      "meet them on the pull request, or merge it by hand",
    );
  return { kind: "merge" };
}

/** Returns the step for checks that are not green; null where they are. */
function byChecks(
  { pull, base, comparison, reviewCommit, failure }: MergeQueueFacts,
  checks: CheckVerdict,
): MergeQueueStep | null {
  const head = shortCommit(reviewCommit);
  switch (checks.kind) {
    case "green":
      return null;
    case "own_failure":
      return {
        kind: "fail",
        cause: "checks",
        reason: `on the head of #${pull.number}${comparison.current ? `, which contains \`${base}\`,` : ""} ${listed(checks.checks)} failed`,
        detail: failure,
      };
    case "base_red":
      return wait(
        `${listed(checks.checks)} fails on \`${base}\` as well`,
        `it continues when \`${base}\` is fixed`,
      );
    case "pending":
      return { kind: "wait_checks", why: `waits for ${listed(checks.checks)} on ${head}` };
    case "flaky": {
      const why = `waits for ${listed(checks.reruns.map(({ check }) => check))} to run again on ${head}`;
      return checks.reruns.some(({ byPerson }) => byPerson)
        ? wait(why, "run it again where it runs; Flotilla cannot")
        : { kind: "wait_checks", why };
    }
    case "awaiting_approval":
      return wait(
        `GitHub does not run ${listed(checks.checks)} for ${head} until a person approves it`,
        "press “Approve and run” on the pull request's page",
      );
    case "no_checks":
      return wait(
        `nothing reports ${listed(checks.checks)} for ${head}`,
        "see that a workflow reports it, or remove it from the required checks",
      );
  }
}

/** Returns what forbids a merge whatever git and the checks say. */
function unmet(facts: MergeQueueFacts): MergeQueueStep | null {
  const { pull, comparison, base, demands, approvals, coderAtWork } = facts;
  const number = `#${pull.number}`;
  if (pull.state === "closed")
    return wait(`${number} was closed without a merge`, "say `/flotilla start`, which starts again");
  if (comparison.head === null) return wait(`the branch of ${number} is gone`, "push the branch again");
  const against = againstMerge(pull.number, facts);
  if (against !== null) {
    const { why, change, isUnreported } = against;
    return isUnreported ? { kind: "rejected", why, change } : wait(why, change);
  }
  if (coderAtWork) return wait("its coder is at work", "it continues when the coder is done");
  if (!comparison.approved)
    return wait(`${number} has commits that nobody approved`, "review the newest commit");
  if (pull.draft) return wait(`${number} is a draft`, "mark it ready for review");
  if (pull.baseRef !== base)
    return wait(`${number} goes to \`${pull.baseRef}\``, `merge it by hand; only \`${base}\` is merged into`);
  if (approvals < demands.approvals)
    return wait(
      `\`${base}\` demands ${demands.approvals} approving reviews on GitHub, ${number} has ${approvals}`,
      "approve it on GitHub",
    );
  return null;
}

/** `commit` = the head of the base branch with which the work conflicts. */
export function conflictReason(
  pull: number | null,
  {
    base,
    commit,
    files,
  }: { readonly base: string; readonly commit: string; readonly files: readonly string[] },
): string {
  return `#${pull} conflicts with \`${base}\` (${shortCommit(commit)}) in ${listed(files)}`;
}

const MOST = 10;

function listed(names: readonly string[]): string {
  const more = names.length - MOST;
  return `${names.slice(0, MOST).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

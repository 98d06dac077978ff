import { failedNames } from "../checks/check-failure.ts";
import { howItEnded } from "../conversation/command-failure.ts";
import { shortCommit } from "../messages/commit-link.ts";
import { notStarted } from "../services/start-as-command.ts";
import { type Missing, pathList } from "./missing.ts";

/** Returns what is missing, for people: the fact alone, without the instruction to the model. */
export function missingFact(item: Missing): string {
  switch (item.kind) {
    case "uncommitted":
      return `changes that are not committed: ${pathList(item.paths)}`;
    case "empty_diff":
      return "the branch changes nothing against its base";
    case "head_moved":
      return `the claim is about commit ${short(item.claimed)}, and the branch is at ${short(item.head)}`;
    case "not_pushed":
      return "the branch's head is not on the server";
    case "branch_moved":
      return `somebody else changed the branch: it is at ${short(item.server)} on the server, not at ${short(item.claimed)}`;
    case "protected_paths":
      return `protected files are changed: ${pathList(item.paths)}`;
    case "tests_weakened":
      return `it weakens the tests: ${item.summary}`;
    case "pull_missing":
      return "there is no pull request";
    case "pull_closed":
      return `pull request #${item.pull} is not open`;
    case "pull_foreign":
      return `pull request #${item.pull} is @${item.author}'s`;
    case "pull_other_branch":
      return `pull request #${item.pull} is from another branch, ${item.branch}`;
    case "pull_other_base":
      return `pull request #${item.pull} goes into ${item.base} and not into ${item.expected}`;
    case "pull_unlinked":
      return `pull request #${item.pull} does not name issue #${item.issue}`;
    case "setup_failed":
      return `the setup command \`${item.command}\` fails on a clean checkout (${howItEnded(item)})`;
    case "services_failed":
      return `${notStarted(item.command) ?? item.command} did not become ready on a clean checkout`;
    case "command_failed":
      return `\`${item.command}\` fails on a clean checkout (${howItEnded(item)})`;
    case "check_failed":
      return `a check fails: ${failedNames([item])}`;
    case "low_confidence":
      return `the evaluator's confidence is ${item.confidence}, and ${item.threshold} is needed: ${item.reason}`;
    case "commit_rejected":
      return `${item.reviewer} rejected commit ${short(item.commit)}`;
    case "changes_requested":
      return `${item.people.map((login) => `@${login}`).join(" and ")} requested changes of commit ${short(item.commit)}`;
    case "review_missing":
      return "a review of this commit";
    case "verdict_missing":
      return "a verdict on the present head";
    case "verdict_stale":
      return `the verdict is on ${short(item.commit)}, and the pull request is at ${short(item.head)}`;
    case "no_output":
      return "no label or comment of its own, and no word on why none was needed";
    case "parts_are_drafts":
      return `the sub-issues ${item.issues.map((issue) => `#${issue}`).join(", ")} are still drafts, and no agent works on them`;
  }
}

const short = (commit: string | null) => (commit === null ? "none" : shortCommit(commit));

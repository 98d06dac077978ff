import { z } from "zod";
import { checkFailure } from "../checks/check-failure.ts";
import { endOfOutput, type FailedCommand, howItEnded } from "../conversation/command-failure.ts";
import { notStarted } from "../services/start-as-command.ts";
import { leftOutSentence, whyLeftOut } from "./left-out.ts";

const ofCommand = {
  command: z.string(),
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  output: z.string(),
};

/**
 * One thing that a claim of completion lacks, as data: stored, counted, and written for the model by `missingSentence`.
 */
export const missing = z.discriminatedUnion("kind", [
  /** Changes in the worktree that are not committed. */
  z.strictObject({ kind: z.literal("uncommitted"), paths: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("empty_diff") }),
  /** The worktree's head is not the claimed commit. */
  z.strictObject({
    kind: z.literal("head_moved"),
    claimed: z.string().nullable(),
    head: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal("not_pushed") }),
  /** The branch on the server is at another commit: somebody else pushed, or rewrote it. */
  z.strictObject({ kind: z.literal("branch_moved"), claimed: z.string(), server: z.string() }),
  z.strictObject({ kind: z.literal("protected_paths"), paths: z.array(z.string()) }),
  /** The change may weaken the tests, and no person has approved that. `reason` = why a person said no; else null. */
  z.strictObject({
    kind: z.literal("tests_weakened"),
    summary: z.string(),
    findings: z.array(z.string()),
    /** Of the approval that lets it pass. */
    hash: z.string(),
    reason: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal("pull_missing") }),
  z.strictObject({ kind: z.literal("pull_closed"), pull: z.int() }),
  z.strictObject({ kind: z.literal("pull_foreign"), pull: z.int(), author: z.string() }),
  z.strictObject({ kind: z.literal("pull_other_branch"), pull: z.int(), branch: z.string() }),
  z.strictObject({
    kind: z.literal("pull_other_base"),
    pull: z.int(),
    base: z.string(),
    expected: z.string(),
  }),
  z.strictObject({ kind: z.literal("pull_unlinked"), pull: z.int(), issue: z.int() }),
  /** A setup command fails on the claimed commit. */
  z.strictObject({ kind: z.literal("setup_failed"), ...ofCommand }),
  /** Services did not become ready beside an acceptance command; `command` has their keys. */
  z.strictObject({ kind: z.literal("services_failed"), ...ofCommand }),
  /** An acceptance command fails on the claimed commit. */
  z.strictObject({ kind: z.literal("command_failed"), ...ofCommand }),
  z.strictObject({
    kind: z.literal("check_failed"),
    check: z.string(),
    conclusion: z.string(),
    job: z.string().nullable(),
    step: z.string().nullable(),
    log: z.string(),
  }),
  /** The evaluator is not sure enough that the work does what the issue asks. */
  z.strictObject({
    kind: z.literal("low_confidence"),
    confidence: z.number(),
    threshold: z.number(),
    reason: z.string(),
  }),
  /** A reviewing agent rejected the claimed commit. */
  z.strictObject({ kind: z.literal("commit_rejected"), commit: z.string(), reviewer: z.string() }),
  /** People who requested changes of the claimed commit, and have not withdrawn that. */
  z.strictObject({ kind: z.literal("changes_requested"), commit: z.string(), people: z.array(z.string()) }),
  /** The policy requires a review that does not exist yet. */
  z.strictObject({ kind: z.literal("review_missing") }),
  z.strictObject({ kind: z.literal("verdict_missing") }),
  z.strictObject({ kind: z.literal("verdict_stale"), commit: z.string(), head: z.string() }),
  z.strictObject({ kind: z.literal("no_output") }),
  /** Sub-issues that the agent opened are drafts, on which nobody works before `finalize_plan`. */
  z.strictObject({ kind: z.literal("parts_are_drafts"), issues: z.array(z.int()) }),
]);
export type Missing = z.infer<typeof missing>;

/** Returns what the model reads: what is missing, and what to do about it. */
export function missingSentence(item: Missing): string {
  switch (item.kind) {
    case "uncommitted":
      return [
        `These changes are not committed: ${pathList(item.paths)}. Use \`commit\`, or \`restore_files\` for what must not stay.`,
        leftOutSentence(item.paths.filter((path) => whyLeftOut(path) !== null)),
      ]
        .join(" ")
        .trim();
    case "empty_diff":
      return "The branch changes nothing against its base. Make the change, or use `escalate_to_human` when none is needed.";
    case "head_moved":
      return `You claimed commit ${item.claimed ?? "none"}, the branch is at ${item.head ?? "none"}. Look at it and claim again.`;
    case "not_pushed":
      return "The branch's head is not on the server yet. Use `commit` again.";
    case "branch_moved":
      return `The branch on the server is at ${item.server}, not at your commit ${item.claimed}: somebody else changed it. Use \`escalate_to_human\`.`;
    case "protected_paths":
      return `These files are protected and may not be changed: ${pathList(item.paths)}. Put them back as they are in the base, or use \`escalate_to_human\` when the issue needs the change.`;
    case "tests_weakened":
      return `A person said no to what your change does to the tests: ${item.reason ?? "no reason was given"}. Put these back as they are in the base:\n${item.findings.join("\n")}`;
    case "pull_missing":
      return "There is no pull request. Use `open_pr`.";
    case "pull_closed":
      return `Pull request #${item.pull} is not open. Use \`escalate_to_human\`: a person closed it.`;
    case "pull_foreign":
      return `Pull request #${item.pull} is @${item.author}'s, not yours. Use \`escalate_to_human\`.`;
    case "pull_other_branch":
      return `Pull request #${item.pull} is from the branch ${item.branch}, which is not yours. Use \`escalate_to_human\`.`;
    case "pull_other_base":
      return `Pull request #${item.pull} goes into ${item.base} and not into ${item.expected}. Use \`escalate_to_human\`: only a person can change that.`;
    case "pull_unlinked":
      return `Pull request #${item.pull} does not name issue #${item.issue}. Use \`escalate_to_human\`: a person changed its text.`;
    case "setup_failed":
      return `The setup command \`${item.command}\` fails on a clean checkout of your commit (${howItEnded(item)}). Fix the files that it reads.${told(item)}`;
    case "services_failed":
      return `${capital(notStarted(item.command) ?? item.command)} did not become ready beside a command that checks your work, on a clean checkout of your commit, so that command did not run. If your change is the cause, fix it; otherwise use \`escalate_to_human\`: people correct \`services\`.${told(item)}`;
    case "command_failed":
      return `\`${item.command}\` fails on a clean checkout of your commit (${howItEnded(item)}). Fix the cause; files that are not committed are not there.${told(item)}`;
    case "check_failed":
      return checkFailure(item);
    case "low_confidence":
      return `The evaluator looked at your commit: its confidence is ${item.confidence}, and ${item.threshold} is needed. Fix what it names: ${item.reason}`;
    case "commit_rejected":
      return `${item.reviewer} rejected this very commit, ${item.commit}. Fix what it names and \`commit\`, or use \`escalate_to_human\` where you are sure that it is wrong.`;
    case "changes_requested":
      return `${item.people.map((login) => `@${login}`).join(" and ")} requested changes of this very commit, ${item.commit}, and no review of it counts while that stands. Make the change and \`commit\`, or ask the person with \`ask_human\` or \`escalate_to_human\` where you are sure that it is wrong.`;
    case "review_missing":
      return "Work here completes only with a review, and none of this commit is given yet. Use `request_review` instead of `report_complete`.";
    case "verdict_missing":
      return "A verdict on the present head is missing. Use `submit_verdict`.";
    case "verdict_stale":
      return `Your verdict is on ${item.commit}, the pull request is at ${item.head} now. Look at what is new and use \`submit_verdict\` again.`;
    case "no_output":
      return "Nothing was done on GitHub: set a label or comment, or say in the summary why nothing was needed.";
    case "parts_are_drafts":
      return `No agent works on ${item.issues.map((issue) => `#${issue}`).join(", ")}: your sub-issues are still drafts. Use \`finalize_plan\` before \`report_complete\`.`;
  }
}

function told(failed: FailedCommand): string {
  const end = endOfOutput(failed);
  return end === "" ? "" : ` ${end}\n`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the first ten paths, and how many more there are. */
export function pathList(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).join(", ");
  return paths.length > 10 ? `${shown} and ${paths.length - 10} more` : shown;
}

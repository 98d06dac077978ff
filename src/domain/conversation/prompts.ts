import type { WakeRow } from "../kernel/rows.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { visibleText } from "../messages/visible-text.ts";
import type { PictureSource } from "../pictures/picture-links.ts";
import { isTimeOutMessage } from "../questions/question-answer.ts";
import { formFields } from "./issue-form.ts";
import { untrusted } from "./untrusted.ts";

/** A message to an agent, and the ids of the wakes that it contains; every message is one user turn. */
export interface Prompt {
  readonly text: string;
  readonly told: readonly number[];
  /** The texts in it, besides those of wakes, whose pictures are shown. */
  readonly pictures?: readonly PictureSource[];
}

export interface IssueText {
  readonly repository: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  /** Which part of the text is hidden and why, in our words; null when all is shown. */
  readonly withheld: string | null;
}

/** Returns title and text of an issue as a person sees them, as the beginning of a message. */
export function issueLines({ title, body, withheld }: IssueText): readonly string[] {
  const shown = visibleText(body).trim();
  const empty = withheld === null ? "(The issue has no text.)" : null;
  return [
    `# ${untrusted(visibleText(title))}`,
    "",
    ...(shown === "" ? [empty] : bodyLines(shown)),
    withheld === null ? null : `(${withheld})`,
  ].filter((line) => line !== null);
}

/** Returns an issue's text; that of a form as its fields. */
function bodyLines(shown: string): readonly string[] {
  const fields = formFields(shown);
  if (fields === null) return [untrusted(shown)];
  return [
    "The author filled in a form. Its fields:",
    "",
    ...fields.map(({ label, value }) => {
      return `- ${untrusted(label)}: ${value === "" ? "(left empty)" : untrusted(value)}`;
    }),
  ];
}

/** Returns the first message of a conversation: the issue's title and body, and the work that exists already. */
export function firstMessage(options: {
  issue: IssueText;
  branch: string | null;
  /** The base branch of its work, where that is not the repository's default branch. */
  base: string | null;
  pull: number | null;
  /** The work is on a person's pull request, which is in `issue`; `patch` = it is offered as a patch. Left out for an issue. */
  theirs?: { readonly patch: boolean };
  attempt: number;
  before: string | null;
  /** Commands that have prepared the working directory. */
  setup: readonly string[];
  /** Commands that a claim of completion must pass. */
  checks: readonly string[];
  news: readonly string[];
}): string {
  const { issue, theirs } = options;
  return lines(
    theirs === undefined
      ? `Work on issue #${issue.number} of ${issue.repository}, opened by @${issue.author}.`
      : `Work on pull request #${issue.number} of ${issue.repository}, which the person @${issue.author} opened, and mend it.`,
    "",
    ...issueLines(issue),
    "",
    "---",
    options.branch === null ? null : `Your branch is \`${options.branch}\`.`,
    options.base === null
      ? null
      : `Your work goes to \`${options.base}\`, not to the default branch: your branch begins there, and your pull request goes there.`,
    theirs === undefined ? null : theirsNote(theirs),
    options.pull === null || theirs !== undefined
      ? null
      : `Your pull request is #${options.pull}; it is open: continue with it and open no other one.`,
    options.attempt > 1 ? `This is attempt ${options.attempt}.` : null,
    options.before === null ? null : `Why this attempt: ${untrusted(options.before)}`,
    commandsLine("These commands have prepared your working directory", options.setup),
    commandsLine(
      "When you report that the work is done, the host runs these commands on a clean checkout of your commit, and they must succeed",
      options.checks,
    ),
    ...options.news,
    "End with exactly one of your reports.",
  );
}

/** Returns what is different where the work is on a person's pull request. */
function theirsNote({ patch }: { readonly patch: boolean }): string {
  const where = patch
    ? "Your working directory begins at the head of the pull request. What you commit stays on this machine, and is offered to people as a patch once you report that you are done."
    : "It is the branch of the pull request: what you commit is pushed there, on top of what people pushed.";
  return `${where} Change only what you are asked to below; where nothing is said, mend what its reviews and its red checks ask for, which \`read_pr\` shows. Open no other pull request, ask for no review, and end with \`report_complete\`.`;
}

/** Returns one line with the commands; null without any. */
function commandsLine(words: string, commands: readonly string[]): string | null {
  return commands.length === 0
    ? null
    : `${words}: ${commands.map((command) => inlineCode(command)).join(", ")}.`;
}

const wakeWords: Readonly<Record<WakeRow["reason"], string>> = {
  blocker: "The issue that blocked you is resolved",
  review: "Review",
  answer: "Answer from a person",
  approval: "Approval from a person",
  checks: "Checks",
  limit_reset: "The model is available again",
  retry: "You were interrupted by a failure; check what was done",
  restart: "You were interrupted by a restart of the host; check what was done",
  time: "The time you waited for has come",
  message: "Message from a person",
  base_moved: "The base branch moved",
  resumed: "A person told you to continue",
};

/** Returns a message with the wakes for an agent that is at work, or whose exchange has just ended. */
export function wakesMessage(wakes: readonly Pick<WakeRow, "reason" | "detail">[]): string {
  return lines("This happened in the meantime:", "", ...wakes.map(wakeLine));
}

/** Returns one wake as a list item. */
export function wakeLine({ reason, detail }: Pick<WakeRow, "reason" | "detail">): string {
  const words =
    reason === "answer" && isTimeOutMessage(detail) ? "No answer from a person" : wakeWords[reason];
  // The output of checks is read by programs, and nothing in it is hidden.
  return `- ${words}: ${untrusted(reason === "checks" ? detail : visibleText(detail))}`;
}

export const NUDGE =
  "You stopped without a report. If the work is done, call report_complete. If another issue must be closed first, report that you are blocked. If a person must decide or you cannot continue, call escalate_to_human. Otherwise continue with the work.";

export function wrapUpMessage(limit: string): string {
  return `You have reached the limit ${limit}. No other tool will run now, and this is your last answer. Call exactly one of your report tools and say what you did and what is left.`;
}

/** Returns the message about a claim that does not hold yet. */
export function missingMessage(missing: readonly string[], bouncesLeft: number): string {
  return lines(
    "Your claim of completion was checked, and this is missing:",
    "",
    // A sentence of several lines ends with the output of a command.
    ...missing.map((sentence) => `- ${sentence.includes("\n") ? untrusted(sentence) : sentence}`),
    "",
    `Fix this and call report_complete again. A person is asked after ${bouncesLeft} more failed ${bouncesLeft === 1 ? "claim" : "claims"}.`,
  );
}

/** Returns the message about a tool that did not end and was stopped together with its turn. */
export function toolEndedMessage(verdict: string): string {
  return `The host ended your last turn, because ${verdict}. Its effects until then remain. Continue in another way: give a long command a time limit, or run it in the background and read its output.`;
}

/** Returns the message that the last intent was refused when it was applied. */
export function refusedMessage(kind: string, reason: string): string {
  return `Your ${kind} could not be carried out: ${reason}. Continue with the work, or report again.`;
}

function lines(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join("\n");
}

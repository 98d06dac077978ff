import type { HandoffText } from "../conversation/handoff.ts";
import type { Evaluation, Intent, Output } from "../ports/tool-host.ts";
import type { AskedQuestion } from "../questions/question.ts";
import type { GivenVerdict, VerdictComment } from "../review/verdict.ts";
import { safeMarkdown } from "../safe-text/safe-markdown.ts";
import { safePlain, safeTitle } from "../safe-text/safe-plain.ts";
import { visibleText } from "../safe-text/visible.ts";

/**
 * What an agent says through its tools, made safe for GitHub: the one list of these texts. Each result is written out
 * field by field, so that a new field of any of them does not compile before it is decided here what becomes of it.
 */
export interface Speaker {
  /** Origin of the GitHub server. */
  readonly site: string;
  /** The agent's own issue, which its pull request may close. */
  readonly issue: number;
}

/** Leaves room for the host's facts and the plan in the 65,536 characters of a pull request. */
const LONGEST_PULL_BODY = 40_000;

const words = (text: string, { site }: Speaker) => safeMarkdown(text, { site, closes: null });

/** A name on one line. */
const name = (text: string) => visibleText(text).replace(/\s+/g, " ").trim();

export function safeOutput(output: Output, speaker: Speaker): Output {
  const { site, issue } = speaker;
  switch (output.kind) {
    case "commit":
      return { kind: "commit", message: safePlain(output.message, issue) };
    case "open_pr":
      return {
        kind: "open_pr",
        title: safeTitle(output.title, issue),
        body: safeMarkdown(output.body, { site, closes: issue }, LONGEST_PULL_BODY),
      };
    case "comment":
      return { kind: "comment", body: words(output.body, speaker) };
    case "label":
      return { kind: "label", label: name(output.label) };
    case "create_blocker_issue":
      return {
        kind: "create_blocker_issue",
        title: safeTitle(output.title, null),
        body: words(output.body, speaker),
        labels: output.labels.map(name),
      };
    case "create_sub_issue":
      return {
        kind: "create_sub_issue",
        title: safeTitle(output.title, null),
        body: words(output.body, speaker),
        role: output.role,
        after: output.after,
      };
  }
}

export function safeIntent<I extends Exclude<Intent, { kind: "ask_human" | "submit_verdict" }>>(
  intent: I,
  speaker: Speaker,
): I;
export function safeIntent(
  intent: Exclude<Intent, { kind: "ask_human" | "submit_verdict" }>,
  speaker: Speaker,
): Intent {
  switch (intent.kind) {
    case "report_blocked":
      if ("cause" in intent) return { ...intent, reason: words(intent.reason, speaker) };
      return {
        kind: "report_blocked",
        blocker: intent.blocker,
        ...(intent.repository === undefined ? {} : { repository: intent.repository }),
        reason: words(intent.reason, speaker),
      };
    case "report_complete":
      return { kind: "report_complete", summary: words(intent.summary, speaker) };
    case "request_review":
      return { kind: "request_review", summary: words(intent.summary, speaker) };
    case "escalate_to_human":
      return {
        kind: "escalate_to_human",
        reason: words(intent.reason, speaker),
        category: name(intent.category),
        question: intent.question === null ? null : words(intent.question, speaker),
      };
  }
}

const option = (given: string | null) => (given === null ? null : name(given));

export function safeQuestion(asked: AskedQuestion, speaker: Speaker): AskedQuestion {
  return {
    question: words(asked.question, speaker),
    options: asked.options.map(({ name: given, destructive }) => ({ name: name(given), destructive })),
    recommended: option(asked.recommended),
    default: option(asked.default),
    deadline: asked.deadline,
    who: asked.who,
  };
}

type Said = Omit<GivenVerdict, "comments"> & { readonly comments: readonly Omit<VerdictComment, "inline">[] };

/** Paths and commands stay as they are: they are compared, and shown as code. */
export function safeVerdict(given: Said, speaker: Speaker): Said {
  return {
    commit: given.commit,
    verdict: given.verdict,
    body: words(given.body, speaker),
    comments: given.comments.map(({ path, line, body }) => ({ path, line, body: words(body, speaker) })),
    evidence: given.evidence,
  };
}

/** Shown as a block of code, and read again by the model. */
export const safePlan = visibleText;

export function safeHandoff({ summary, nextAction }: HandoffText): HandoffText {
  return { summary: visibleText(summary), nextAction: visibleText(nextAction) };
}

export function safeEvaluation({ confidence, reason }: Evaluation, speaker: Speaker): Evaluation {
  return { confidence, reason: words(reason, speaker) };
}

/** Why a planner replans. */
export const safeReason = words;

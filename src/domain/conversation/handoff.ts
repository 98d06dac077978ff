import type { RunRecord } from "../agents/run.ts";
import { untrusted } from "./untrusted.ts";

/** Why one conversation hands over to the next. */
export const HANDOFF_CAUSES = ["context", "no_progress", "session_lost", "model_change"] as const;
export type HandoffCause = (typeof HANDOFF_CAUSES)[number];

/** What one conversation hands over to the next. Times are milliseconds since the epoch. */
export interface HandoffRow {
  readonly id: number;
  readonly agentId: number;
  /** The conversation that wrote it. */
  readonly sessionId: string | null;
  readonly cause: HandoffCause;
  readonly writtenBy: "agent" | "host";
  readonly summary: string;
  readonly nextAction: string;
  /** What was repeated without progress; null for any other cause. */
  readonly repeated: string | null;
  readonly createdAt: number;
}

/** The part that an agent writes, or the host for it. */
export type HandoffText = Pick<HandoffRow, "summary" | "nextAction">;

/** Share of the context that may be full before the conversation is handed over. */
const FULL = 0.9;

/**
 * Returns true when the context is full. `limit` in tokens: the provider's `max_prompt_tokens`, else the runtime's own.
 */
export function contextFull(tokens: number, limit: number): boolean {
  return limit > 0 && tokens >= FULL * limit;
}

export const HANDOFF_REQUEST =
  "This conversation is nearly as long as it can be, so a new one continues with your work: the same issue, branch and files, but without what was said here. Call write_handoff now, and nothing else: a summary of what was done, found and decided, and the next action.";

/** The answer when the model calls another tool instead. */
export const HANDOFF_ONLY = "Your context is full: only write_handoff or a report is possible now.";

/** What the host knows of a conversation that could not write its own handoff. */
export interface HandoffFacts {
  readonly plan: RunRecord["plan"];
  /** Files that differ from the base of the work. */
  readonly files: readonly string[];
  /** The last messages of the model, in order. */
  readonly messages: readonly string[];
}

const MOST_FILES = 50;
const MOST_TEXT = 2000;

/** Writes a handoff from plan, diff and last messages. */
export function hostHandoff(facts: HandoffFacts): HandoffText {
  const files = facts.files.slice(0, MOST_FILES);
  const more = facts.files.length - files.length;
  const said = facts.messages.filter((message) => message.trim() !== "");
  const parts = [
    facts.plan === null ? null : `The plan was:\n${cut(facts.plan)}`,
    files.length === 0
      ? "No file has been changed yet."
      : `Changed so far: ${files.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
    said.length === 0 ? null : `Said last:\n${said.map(cut).join("\n")}`,
  ];
  return {
    summary: parts.filter((part) => part !== null).join("\n\n"),
    nextAction: "Look at the files as they are, then continue with what is missing for the issue.",
  };
}

function cut(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;
}

const BEGINNINGS: Readonly<Record<HandoffCause, string>> = {
  context: "Your earlier conversation became too long, and this one continues from it.",
  no_progress: "Your earlier conversation went in circles, and this one begins again.",
  session_lost: "Your earlier conversation is lost.",
  model_change: "Your earlier conversation was held with another model, and this one continues from it.",
};

/**
 * Returns the handoff as a part of the new conversation's first message. `before` = the runtime of the attempt that left it,
 * where that is not the agent itself.
 */
export function handoffBrief(
  handoff: HandoffRow,
  {
    before = null,
    runtime = null,
  }: { readonly before?: string | null; readonly runtime?: string | null } = {},
): string {
  const [beginning, by] =
    before === null ? ofOwn(handoff) : ofAttempt(handoff, before === runtime ? null : before);
  return [
    beginning,
    ...(handoff.repeated === null
      ? []
      : [
          `What was repeated without getting on: ${handoff.repeated}. Do not do that again: choose another way, or use escalate_to_human and say what stands in the way.`,
        ]),
    `${by}:`,
    "",
    untrusted(handoff.summary),
    "",
    `Next action: ${untrusted(handoff.nextAction)}`,
  ].join("\n");
}

function ofOwn({ cause, writtenBy }: HandoffRow): readonly [beginning: string, by: string] {
  return [
    `${BEGINNINGS[cause]} Your files are as you left them.`,
    writtenBy === "agent" ? "You left this" : "This is known of it",
  ];
}

/** Another attempt may have been another program: its conversation and its uncommitted files are not here. */
function ofAttempt(
  { writtenBy }: HandoffRow,
  other: string | null,
): readonly [beginning: string, by: string] {
  const whose = other === null ? "" : `, which was ${other}'s`;
  return [
    `You do not have the conversation of the attempt before this one${whose}, and your files may be others.`,
    writtenBy === "agent" ? "It left this" : "This is known of it",
  ];
}

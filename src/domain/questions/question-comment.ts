import { cutHead, moment, oneLine } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { quote } from "../status/comments.ts";
import { personNamed } from "../status/person-named.ts";
import { type AnsweredVia, isAnswerable, type QuestionOption, type QuestionRow } from "./question.ts";

/** Characters of a free answer that the question's comment repeats. */
const MOST_ANSWER = 1000;

/** Returns the present text of a question's one comment: how to answer it, or its result. */
export function questionComment(role: string, question: QuestionRow): string {
  const open = isAnswerable(question);
  const [first] = question.askedOf;
  const of = first === undefined ? "" : ` @${first}`;
  return [
    `**${role}** ${open ? "asks" : "asked"}${open && first === undefined ? " anyone who can decide" : of}:`,
    "",
    quote(question.text),
    "",
    ...question.options.map((option, index) => optionLine(question, option, { number: index + 1, open })),
    "",
    ...(open ? waiting(question) : outcome(role, question)),
  ].join("\n");
}

function optionLine(
  { recommended, answer }: QuestionRow,
  { name, destructive }: QuestionOption,
  { number, open }: { readonly number: number; readonly open: boolean },
): string {
  const notes = [
    ...(name === recommended ? ["recommended"] : []),
    ...(destructive ? ["destructive: this cannot be undone"] : []),
    ...(!open && name === answer ? ["chosen"] : []),
  ];
  const box = open ? "[ ] " : "";
  return `- ${box}**${number}** ${inlineCode(name)}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

function waiting(question: QuestionRow): readonly string[] {
  const thumb =
    question.recommended === null
      ? ""
      : ` A thumbs up takes ${inlineCode(question.recommended)}, within minutes.`;
  return [
    `Tick one box, or reply with a number or in your own words.${thumb} The first answer of a person with write permission counts.`,
    "",
    untilWhen(question),
    ...laterAsked(question),
  ];
}

function untilWhen({ state, deadlineAt, defaultOption }: QuestionRow): string {
  if (state === "TIMED_OUT")
    return `Nobody answered by ${moment(deadlineAt)}, so the agent is now ESCALATED. It still continues when somebody answers.`;
  return defaultOption === null
    ? `Without an answer by **${moment(deadlineAt)}** the agent is marked as needing a person, and waits.`
    : `Without an answer by **${moment(deadlineAt)}** the agent continues with ${inlineCode(defaultOption)}, decided by time-out.`;
}

/** Returns the people asked later, without mentions: each was notified once. */
function laterAsked({ askedOf }: QuestionRow): readonly string[] {
  const later = askedOf.slice(1).map((login) => inlineCode(login));
  return later.length === 0 ? [] : ["", `Asked later as well: ${later.join(", ")}.`];
}

function outcome(role: string, question: QuestionRow): readonly string[] {
  const { answer, answeredBy, via, answeredAt, deadlineAt, options } = question;
  if (answer === null || via === null || answeredAt === null)
    return ["Nobody needs to answer this any more: the agent continued without an answer, or has ended."];
  if (answeredBy === null)
    return [
      `**Decided by time-out, not by a person**: nobody answered by ${moment(deadlineAt)}, so ${role} continued with its default ${inlineCode(answer)}. While it works, you can still reach it with a comment that mentions this App.`,
    ];
  const by = `**Answered by ${personNamed(answeredBy)}**${HOW[via]}, ${moment(answeredAt)}`;
  const option = options.some(({ name }) => name === answer);
  return option ? [`${by}: ${inlineCode(answer)}.`] : [`${by}:`, "", quote(cutHead(answer, MOST_ANSWER))];
}

const HOW: Readonly<Record<AnsweredVia, string>> = {
  reply: " by a reply",
  checkbox: " by ticking its box",
  reaction: " by a thumbs up",
  // A command, or the dashboard.
  command: "",
  "time-out": " by time-out",
};

/**
 * Returns a second comment, since GitHub notifies nobody of an edited one: to the person who was asked, or to the one
 * who is asked now as well.
 */
export function askedAgainComment(
  role: string,
  question: Pick<QuestionRow, "text" | "deadlineAt" | "defaultOption">,
  to: { readonly login: string; readonly again: boolean; readonly link: string | null },
): string {
  const here = to.link === null ? "a question on this issue" : `[a question](${to.link})`;
  const told = to.again
    ? `@${to.login}, a reminder: **${role}** still waits for your answer to ${here}.`
    : `@${to.login}, nobody has answered ${here} of **${role}** yet. Can you?`;
  const then =
    question.defaultOption === null
      ? "the agent is marked as needing a person"
      : `the agent continues with ${inlineCode(question.defaultOption)}`;
  return [
    told,
    "",
    quote(oneLine(question.text)),
    "",
    `Without an answer by ${moment(question.deadlineAt)} ${then}.`,
  ].join("\n");
}

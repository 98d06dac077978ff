import type { DomainEventOf } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { parseMarker } from "../messages/marker.ts";
import { isAnswerable, type QuestionRow, questionKey } from "./question.ts";
import { answerOf, type GivenAnswer, tickedOptions } from "./question-answer.ts";

/**
 * Milliseconds after the first answer in which a second one was written at the same time: the agent gets it as well.
 */
const SAME_MOMENT_MS = 60_000;

/** Returns the latest question of the issue that accepts an answer, else the latest that was just settled. */
export function questionFor(view: Pick<IssueState, "questions">, at: number): QuestionRow | undefined {
  return (
    view.questions.findLast(isAnswerable) ??
    view.questions.findLast(
      ({ state, answeredAt }) =>
        state !== "WITHDRAWN" && answeredAt !== null && at - answeredAt < SAME_MOMENT_MS,
    )
  );
}

/** Returns the question that a comment without a command answers: the latest one that was asked before it. */
export function questionOfReply(
  event: DomainEventOf<"commented">,
  view: Pick<IssueState, "questions">,
): QuestionRow | undefined {
  const question = questionFor(view, event.at);
  // Comments at lines have their own ids, and are about the line.
  if (question === undefined || event.place !== "issue") return undefined;
  return question.commentId !== null && event.commentId > question.commentId ? question : undefined;
}

export function answers(
  question: QuestionRow,
  said: { readonly text: string; readonly by: string; readonly url: string | null },
  via: GivenAnswer["via"],
): ChangeSet {
  const { by, url } = said;
  const text = answerOf(question, said.text);
  return {
    ...NO_CHANGES,
    answers: [{ question: question.id, agentId: question.agentId, text, by, via, url }],
  };
}

/** Handles an edit of a question's comment: a ticked box is an answer, and any edit is reverted. */
export function onCommentEdited(event: DomainEventOf<"comment_edited">, view: IssueState): ChangeSet {
  const { actor, commentId, body, url } = event;
  // After a crash the comment may exist before its id is stored here.
  const key = parseMarker(body)?.key;
  const question = view.questions.find((one) => one.commentId === commentId || questionKey(one.id) === key);
  if (question === undefined)
    return decisionOnly("no_question", "the edited comment asks nothing that is open");
  const { agentId } = question;
  const putRight: ChangeSet = {
    ...NO_CHANGES,
    effects: [{ kind: "question_comment", question: question.id }],
  };
  // The box that settled the question stays ticked until the comment is rewritten.
  const ticked = tickedOptions(question.options, body).filter(({ name }) => name !== question.answer);
  const [option] = ticked;
  if (option === undefined)
    return mergeChanges(
      decisionOnly("no_box_ticked", "the question's comment was edited and no box is ticked", { agentId }),
      putRight,
    );
  if (!event.permitted)
    return mergeChanges(
      decisionOnly("not_permitted", `@${actor.login} has no write permission here`, {
        agentId,
        change: "a person with write permission answers",
      }),
      putRight,
    );
  if (ticked.length > 1)
    return mergeChanges(
      decisionOnly(
        "which_option",
        `@${actor.login} ticked ${ticked.length} boxes at once, and one answer is needed`,
        {
          agentId,
          change: "tick exactly one box",
          shown: true,
        },
      ),
      putRight,
    );
  return mergeChanges(answers(question, { text: option.name, by: actor.login, url }, "checkbox"), putRight);
}

import type { DomainEvent } from "../../domain/events/domain-event.ts";
import type { IssueState } from "../../domain/kernel/change-set.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import { isAnswerable } from "../../domain/questions/question.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** When a comment is looked at again that may answer a question. */
const AGAIN_MS = 2_000;

/**
 * Defers a comment while it is unknown whether a question of its issue is on GitHub already: a process may have written
 * the question and ended before it could store which comment that is. Only afterwards can a reply be told from what was
 * said before.
 */
export async function awaitQuestions(
  { store, clock }: EngineContext,
  event: DomainEvent,
  { questions }: IssueState,
): Promise<void> {
  if (event.type !== "commented" || event.command !== null || event.place !== "issue") return;
  const unwritten = questions.filter((one) => one.commentId === null && isAnswerable(one));
  for (const { id, agentId } of unwritten) {
    const effects = await store.effects.find({
      agentId,
      kind: "question_comment",
      state: ["pending", "leased"],
    });
    const mayBeWritten = effects.some(
      ({ payload, state, uncertain }) =>
        payload.kind === "question_comment" && payload.question === id && (state === "leased" || uncertain),
    );
    if (!mayBeWritten) continue;
    throw new OutsideError("question_not_stored", `the question ${id} may be on GitHub already`, {
      consequence: "park",
      retryAt: clock.now() + AGAIN_MS,
    });
  }
}

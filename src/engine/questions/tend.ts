import { setImmediate } from "node:timers/promises";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { ChangeSet } from "../../domain/kernel/change-set.ts";
import { decisionOnly } from "../../domain/kernel/change-set.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import { moment, oneLine } from "../../domain/messages/format.ts";
import type { QuestionRow } from "../../domain/questions/question.ts";
import { nextPerson, questionDue } from "../../domain/questions/question.ts";
import { timeOutMessage } from "../../domain/questions/question-answer.ts";
import { askedAgainComment } from "../../domain/questions/question-comment.ts";
import { advanceAgent, agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { type HoldUnreadable, withReadableRows } from "../kernel/readable.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";
import { heldBySprint } from "../planning/sprint-of.ts";
import { questionWakeKey } from "./answered.ts";

type Following = { readonly changes: Partial<ChangeSet> } & Pick<TransitionRequest, "also" | "afterwards">;

/** Questions per round; the next round continues with the next page. */
const A_ROUND = 100;

/**
 * Returns a function for the engine's tick that acts on unanswered questions: a reminder, a second person,
 * the deadline. Derives everything from the rows, so it survives restarts; leaves alone a question that was
 * answered meanwhile.
 */
export function questionTender(context: EngineContext, holdUnreadable: HoldUnreadable): () => Promise<void> {
  let last = 0;
  return async () => {
    const page = await context.store.questions.answerable(last, A_ROUND);
    last = page.length < A_ROUND ? 0 : (page.at(-1)?.id ?? 0);
    for (const question of page)
      await withReadableRows(question.agentId, holdUnreadable, async () => {
        if (await tend(context, question)) await setImmediate();
      });
  };
}

/** Returns whether anything was due. */
async function tend(context: EngineContext, question: QuestionRow): Promise<boolean> {
  const at = context.clock.now();
  const due = question.state === "OPEN" ? questionDue(question, context.settings.questions, at) : null;
  if (due === null) return false;
  const agent = await context.store.records.get("agent", question.agentId);
  if (agent?.state !== "SLEEPING" || agent.sleepReason !== "question") return false;
  if (due === "deadline" && (await isHeld(context, agent))) return false;
  const { changes, ...extra } =
    due === "deadline"
      ? overdue(agent, question, at)
      : await askedAgain(context, agent, question, { second: due === "second_person", at });
  try {
    await advanceAgent(context, agent, changes, { ...extra, name: `question-${question.id}-${due}` });
  } catch (error) {
    if (!(error instanceof StaleSnapshot)) throw error;
  }
  return true;
}

/**
 * Returns whether the agent is held: an answer could not take effect, so, as in every sleep, the deadline
 * does not pass.
 */
async function isHeld({ store }: EngineContext, agent: AgentRecord): Promise<boolean> {
  return (
    agent.heldBy.length > 0 ||
    (await store.scopePauses.over(agent.repositoryId)).length > 0 ||
    (await heldBySprint(store, agent)).length > 0
  );
}

/** Applies the default option at the deadline; without one a person must act. */
function overdue(agent: AgentRecord, question: QuestionRow, at: number): Following {
  const { id, defaultOption, deadlineAt, text } = question;
  const effects = [{ kind: "question_comment", question: id }, { kind: "status_comment" }] as const;
  const timeOut: TransitionRequest["also"] = async (tables) => {
    if (!(await tables.questions.timeOut(id, at))) throw new StaleSnapshot("question", id);
  };
  if (defaultOption === null) {
    const waited = "an answer to its question";
    const move = agentMove(agent, { type: "EXPIRE", at, actor: "flotilla", waited, question: text });
    // The agent was held after it was read: roll back.
    const afterwards: TransitionRequest["afterwards"] = async (_, refused) => {
      if (refused.length > 0) throw new StaleSnapshot("question", id);
    };
    return { changes: { moves: [move], effects }, also: timeOut, afterwards };
  }
  const why = `nobody answered by ${moment(deadlineAt)} (${oneLine(text)}): decided by time-out, ${defaultOption}`;
  return {
    changes: {
      ...decisionOnly("question_timed_out", why, {
        agentId: agent.id,
        change: "a comment that mentions the App reaches the agent while it is at work",
        inputs: { question: id },
      }),
      wakes: [
        {
          key: questionWakeKey(id),
          agentId: agent.id,
          reason: "answer",
          detail: timeOutMessage(question, defaultOption),
          grant: null,
          dueAt: at,
        },
      ],
      effects,
    },
    also: timeOut,
  };
}

/** Asks again, once per person, in a new comment, because GitHub notifies nobody of an edit. */
async function askedAgain(
  context: EngineContext,
  agent: AgentRecord,
  question: QuestionRow,
  { second, at }: { readonly second: boolean; readonly at: number },
): Promise<Following> {
  const { id, askedOf } = question;
  const login = second ? nextPerson(context.settings.escalation.notify, askedOf) : (askedOf[0] ?? null);
  const fields = {
    // The second person needs no reminder of an earlier question.
    remindedAt: question.remindedAt ?? at,
    secondAskedAt: second ? at : question.secondAskedAt,
    askedOf: second && login !== null ? [...askedOf, login] : askedOf,
  };
  const also: TransitionRequest["also"] = async (tables) => {
    if (!(await tables.questions.askedAgain(id, fields))) throw new StaleSnapshot("question", id);
  };
  const options = { agentId: agent.id, inputs: { question: id } };
  if (login === null) {
    const why = second ? "nobody else is named" : "nobody was asked by name";
    const changes = decisionOnly("nobody_to_ask", `an open question cannot be brought up again: ${why}`, {
      ...options,
      change: "name people in `escalation.notify`",
    });
    return { changes, also };
  }
  const link = await linkTo(context, agent, question);
  const body = askedAgainComment(agent.role, question, { login, again: !second, link });
  const name = `question-${id}-${second ? "second" : "reminder"}`;
  const told = second ? `@${login} is asked too` : `@${login} is reminded`;
  return {
    changes: {
      ...decisionOnly(second ? "second_person" : "reminded", `${told}: nobody has answered yet`, options),
      effects: [
        { kind: "post_comment", name, body },
        ...(second ? [{ kind: "question_comment" as const, question: id }] : []),
      ],
    },
    also,
  };
}

async function linkTo(
  context: EngineContext,
  agent: AgentRecord,
  { commentId }: QuestionRow,
): Promise<string | null> {
  if (commentId === null) return null;
  const { owner, name } = await repositoryOf(context, agent.repositoryId);
  return `/${owner}/${name}/issues/${agent.issue}#issuecomment-${commentId}`;
}

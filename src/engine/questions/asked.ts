import type { AgentRecord } from "../../core/machines/agent-record.ts";
import type { Fact } from "../advance.ts";
import { agentEffect } from "../effect-rows.ts";
import type { Looked } from "../look-at-intent.ts";
import { settlingIntent } from "../settle.ts";

/** For `afterwards`: the intent is settled, and with the sleep that a question asks for the question begins. */
export function applyingIntent(
  agent: AgentRecord,
  { row, intent }: Looked,
  at: number,
): NonNullable<Fact["afterwards"]> {
  const settle = settlingIntent(row);
  return async (tables, refused) => {
    await settle(tables, refused);
    if (intent?.kind !== "ask_human" || refused.some(({ machine }) => machine === "agent")) return;
    const { question: text, deadlineMs, options, recommended, defaultOption, askedOf } = intent;
    const { id: question } = await tables.questions.add({
      agentId: agent.id,
      text,
      options,
      recommended,
      defaultOption,
      deadlineAt: at + deadlineMs,
      askedOf,
      createdAt: at,
    });
    await tables.effects.add([
      agentEffect(agent, { kind: "question_comment", question }, `question-${question}:asked`, at),
    ]);
  };
}

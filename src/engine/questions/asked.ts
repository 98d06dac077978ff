import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { CheckedIntent } from "../blockers/check-block-report.ts";
import { settlingIntent } from "../kernel/advance-agent.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";
import { askForReplanning } from "../planning/ask-for-replanning.ts";

/**
 * Returns the `afterwards` that settles an intent and adds what its move asks of others: a question or a new
 * plan.
 */
export function applyingIntent(
  agent: AgentRecord,
  { row, intent, replanner }: CheckedIntent,
  at: number,
): NonNullable<TransitionRequest["afterwards"]> {
  const settle = settlingIntent(row);
  return async (tables, refused) => {
    await settle(tables, refused);
    if (refused.some(({ machine }) => machine === "agent")) return;
    if (intent?.kind === "report_blocked" && "cause" in intent)
      return askForReplanning(tables, agent, { reason: intent.reason, replanner, at });
    if (intent?.kind !== "ask_human") return;
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

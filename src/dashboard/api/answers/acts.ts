import { z } from "zod";
import { AGENT_STATES } from "../../../domain/agents/agent-record.ts";
import { attributes } from "./agents.ts";
import { agentKey, count, hold, issue, text } from "./fields.ts";

const acted = {
  agent: agentKey().describe("The agent; after retry and revive the new attempt."),
  state: z.enum(AGENT_STATES),
  holds: z.array(hold),
};

export const actedAnswer = z.strictObject(acted);
export const setAnswer = z.strictObject({ ...acted, ...attributes });
export const decidedAnswer = z.strictObject({ tool: text() });
export const answeredAnswer = z.strictObject({
  answer: text().describe("What counts: the option's name, or the words."),
});
export const sentAnswer = z.strictObject({
  agent: agentKey(),
  state: z.enum(AGENT_STATES),
  heard: text().describe("When the agent reads it."),
});
export const startedAnswer = z.strictObject({
  issue: issue(),
  url: text().describe("The issue on GitHub."),
  agent: agentKey().nullable().describe("Null where a review is offered, or an agent that waited may begin."),
});
export const mergedAnswer = z.strictObject({
  pull: count(),
  merged: z.boolean().describe("False while GitHub takes longer."),
});
export const scheduleAnswer = z.strictObject({
  issue: issue().nullable().describe("The issue that was opened."),
  skipped: text().nullable().describe("Why none was opened; null too while GitHub takes longer."),
});
export const steeredAnswer = z.strictObject({ key: text(), state: text() });
export const replayedEffectAnswer = z.strictObject({ kind: text() });
export const replayedDeliveryAnswer = z.strictObject({ replayed: text() });
export const pausedAnswer = z.strictObject({
  scope: text(),
  news: z.boolean().describe("False if it was paused already."),
  agents: z.array(text()).describe("Agents that were put to sleep."),
  still_stopping: count(),
});
export const resumedAnswer = z.strictObject({
  scope: text(),
  still_held: z.array(text()).describe("Other pauses that still hold it."),
});

/** What the API says when it refuses something itself. */
export const refusal = z.strictObject({
  error: text().describe("A code for programs."),
  hint: text().describe("What to do."),
  why: text().optional(),
});

/** What the engine says when it refuses an act. Other fields depend on the code. */
export const refusedAct = z.looseObject({
  error: z.looseObject({ code: text(), message: text(), hint: text(), retryable: z.boolean() }),
});

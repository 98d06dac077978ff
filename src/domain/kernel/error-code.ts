import { z } from "zod";

/** What an error of a run means, in words for people. The keys are the closed list of codes, for programs. */
export const ERROR_MEANINGS = {
  github_unavailable: "GitHub's API gives no answer, refuses the App, or its limit is reached",
  git_unavailable: "git, GitHub's git server or the data directory refuses the work",
  runtime_unavailable: "the agent runtime does not start or does not open the conversation",
  outside_unavailable: "something else outside Flotilla is away",
  model_unavailable: "the model gives no answer, or its provider is at a limit",
  model_refused: "the model refuses the request",
  key_refused: "the model provider refuses the key",
  process_died: "the agent's process ended in the middle of the work",
  no_sign_of_life: "the agent gave no sign of life for too long",
  lease_lost: "the lease of the agent or of its task is over",
  start_failed: "Flotilla cannot open the agent's conversation, or its start ends the process",
  internal_error: "Flotilla itself met an error; the log says more",
  day_budget_spent: "a budget of the repository or its installation is spent",
  max_active_duration: "the agent has worked for as long as it may",
  max_iterations: "the agent was woken as often as it may be",
  max_tool_calls: "the agent has used all its tool calls",
  max_tokens: "the agent has used all its tokens",
  max_cost_usd: "the agent has cost as much as it may",
  max_sleep_duration: "the agent has slept for as long as it may",
  question_deadline: "nobody answered a question in time",
  evidence_missing: "the agent claimed too often that unfinished work was done",
  person_needed: "the agent asks a person or ends without a report in a run that cannot wait",
  tool_failed: "one tool call failed; the run continues",
  tool_not_allowed: "the agent called a tool that its role does not have; the run continues",
} as const satisfies Readonly<Record<string, string>>;

/** The HTTP status of each code, for programs that pass an error on. */
export const ERROR_STATUS = {
  github_unavailable: 503,
  git_unavailable: 503,
  runtime_unavailable: 503,
  outside_unavailable: 503,
  model_unavailable: 503,
  model_refused: 422,
  key_refused: 401,
  process_died: 502,
  no_sign_of_life: 504,
  lease_lost: 409,
  start_failed: 500,
  internal_error: 500,
  day_budget_spent: 429,
  max_active_duration: 429,
  max_iterations: 429,
  max_tool_calls: 429,
  max_tokens: 429,
  max_cost_usd: 429,
  max_sleep_duration: 408,
  question_deadline: 408,
  evidence_missing: 422,
  person_needed: 409,
  tool_failed: 500,
  tool_not_allowed: 403,
} as const satisfies Readonly<Record<ErrorCode, number>>;

export type ErrorCode = keyof typeof ERROR_MEANINGS;

const isCode = (name: string): name is ErrorCode => Object.hasOwn(ERROR_MEANINGS, name);

export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERROR_MEANINGS).filter(isCode);

export const errorCode: z.ZodType<ErrorCode> = z.enum(ERROR_CODES);

/** Returns the code of a limit, by its name in the configuration. */
export function limitCode(breaker: string): ErrorCode {
  return isCode(breaker) ? breaker : "internal_error";
}

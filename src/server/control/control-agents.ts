import { z } from "zod";
import { attributesJson } from "../../dashboard/api/json.ts";
import { agentKey } from "../../domain/agents/agent-key.ts";
import { AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { SESSION_STATES } from "../../domain/agents/session.ts";
import type { Operations } from "../../engine/commands/operations.ts";
import type { ActedOn } from "../../engine/commands/steer.ts";

/** Validates the body and carries out one operation on an agent. Throws `OperationError` or `ZodError`. */
type AgentAct = (operations: Operations, body: unknown, signal: AbortSignal) => Promise<object>;

const agent = z.string().min(1).max(300);
/** The id that the client gives the request: a repeated id acts only once. */
const id = z.string().min(1).max(100);

const by = z.string().min(1).max(100);
/** Characters of a text that a person writes to an agent. */
export const MOST_WORDS = 20_000;

const message = z.strictObject({
  agent,
  id,
  text: z.string().trim().min(1).max(MOST_WORDS),
  by: by.optional(),
});
const interruption = z.strictObject({
  ...message.shape,
  text: z.string().trim().max(MOST_WORDS).default(""),
});
const acted = z.strictObject({
  agent,
  id,
  by,
  reason: z.string().trim().min(1).max(500).nullable().default(null),
});
/** What lets an agent continue may carry words for it. */
const withMessage = z.strictObject({
  ...acted.shape,
  reason: z.string().trim().min(1).max(MOST_WORDS).nullable().default(null),
});
const continuing = z.strictObject({
  ...withMessage.shape,
  amount: z.string().trim().min(1).max(100).nullable().default(null),
});
const setting = z.strictObject({ ...acted.shape, set: z.array(z.string().max(150)).min(1).max(100) });
const resuming = z.strictObject({
  ...withMessage.shape,
  rounds: z.int().min(1).max(9999).nullable().default(null),
});
const waiting = z.strictObject({
  agent,
  states: z.array(z.enum([...AGENT_STATES, ...SESSION_STATES])).min(1),
  within_ms: z
    .int()
    .min(0)
    .max(7 * 24 * 3_600_000),
});

const acting =
  (operation: "pause" | "kill" | "retry" | "revive" | "complete", schema = acted): AgentAct =>
  async (operations, body) => {
    const wish = schema.parse(body);
    return steered(wish.agent, await operations[operation](wish));
  };

function steered(asked: string, { name, state, holds }: ActedOn): object {
  return { agent: agentKey(asked.replace(/:.*$/s, ""), name), state, holds };
}

/** The operations of the control socket under `/agents/`. */
export const agentActs: Readonly<Record<string, AgentAct>> = {
  send: async (operations, body) => {
    const wish = message.parse(body);
    return { agent: wish.agent, ...(await operations.send(wish)) };
  },
  interrupt: async (operations, body) => {
    const wish = interruption.parse(body);
    return { agent: wish.agent, ...(await operations.interrupt(wish)) };
  },
  pause: acting("pause"),
  resume: async (operations, body) => {
    const wish = resuming.parse(body);
    return steered(wish.agent, await operations.resume(wish));
  },
  kill: acting("kill"),
  retry: acting("retry", withMessage),
  revive: acting("revive", withMessage),
  continue: async (operations, body) => {
    const wish = continuing.parse(body);
    return steered(wish.agent, await operations.continue(wish));
  },
  complete: acting("complete"),
  set: async (operations, body) => {
    const wish = setting.parse(body);
    const { name, state, holds, ...now } = await operations.set(wish);
    const key = agentKey(wish.agent.replace(/:.*$/s, ""), name);
    return { agent: key, state, holds, ...attributesJson(now) };
  },
  wait: async (operations, body, signal) => {
    const wish = waiting.parse(body);
    const { agent: key, states, within_ms: withinMs } = wish;
    return { agent: key, ...(await operations.wait({ agent: key, states, withinMs, signal })) };
  },
};

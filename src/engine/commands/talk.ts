import { createHash } from "node:crypto";
import { z } from "zod";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { operatorTouch } from "../../domain/reporting/operator-touch.ts";
import { actDecision } from "../../domain/reporting/persons-act.ts";
import { personNamed, sayer } from "../../domain/status/person-named.ts";
import { isHere } from "../kernel/at-work-here.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { agentOf, type Executor } from "../outbox/execution.ts";
import type { Drivers } from "../sessions/drivers.ts";
import { reachFor } from "./reach.ts";

/** How long the operator waits for the node of an agent. */
const ANSWER_MS = 15_000;

const outcome = z.object({ interrupted: z.boolean() });

/** How the process of an agent is reached: here, or by an effect that its node carries out. */
export interface Reaching {
  readonly drivers: Drivers;
  /** Resolves when the effect is settled or the time is over. */
  readonly settled: (effectId: number, withinMs: number) => Promise<void>;
}

/**
 * An operator's message to an agent. `id` is chosen by the caller and unique: the message is delivered once,
 * however often it is sent, even after a restart.
 */
export interface Message {
  readonly agent: string;
  readonly id: string;
  readonly text: string;
  /** The login of a person who writes on the dashboard; the operator where it is missing. */
  readonly by?: string | undefined;
}

/**
 * Sends a message: it wakes a sleeping agent; a working agent reads it with its next tool's answer. Throws
 * `OperationError`.
 */
export async function send(
  context: EngineContext,
  message: Message,
): Promise<{
  readonly state: AgentRecord["state"];
  readonly heard: "with the next answer" | "when it wakes";
}> {
  const state = await context.store.transaction(async (tables) => {
    const { agent } = await reachFor(tables, message.agent, "send");
    await tell(
      tables,
      agent,
      message,
      `${sayer(message.by ?? "operator:")} says:\n\n${message.text}`,
      context.clock.now(),
    );
    return agent.state;
  });
  context.changed();
  return { state, heard: state === "ACTIVE" ? "with the next answer" : "when it wakes" };
}

/**
 * Interrupts the current exchange; the conversation continues with a note of the interruption and pending
 * messages. Returns false for an agent that waits or is paused. Throws `OperationError`.
 */
export async function interrupt(
  context: EngineContext,
  { drivers, settled }: Reaching,
  message: Message,
): Promise<{ readonly interrupted: boolean }> {
  const { store, clock, changed } = context;
  const active = await store.transaction(async (tables) => {
    const { agent } = await reachFor(tables, message.agent, "interrupt");
    if (agent.state !== "ACTIVE") return null;
    const at = clock.now();
    const said = message.text === "" ? "Look at what you were doing before you continue." : message.text;
    await tell(tables, agent, message, `The operator interrupted you.\n\n${said}`, at);
    if (isHere(context, agent)) return { agent, asked: null };
    const key = `interrupt:${message.id}:${agent.id}:${agent.token}`;
    const [asked = null] = await tables.effects.add([agentEffect(agent, { kind: "interrupt" }, key, at)]);
    return { agent, asked };
  });
  if (active === null) return { interrupted: false };
  const { agent, asked } = active;
  if (asked === null) return { interrupted: await drivers.interrupt(agent.id) };
  changed();
  await settled(asked, ANSWER_MS);
  const row = await store.effects.get(asked);
  if (row?.state === "pending" || row?.state === "leased")
    throw new OperationError({
      code: "transport_unavailable",
      detail: `the machine ${agent.node}, where ${agent.name} works, has not answered for ${ANSWER_MS / 1000} s; the agent reads the message with its next answer`,
    });
  return { interrupted: outcome.safeParse(row?.result).data?.interrupted ?? false };
}

/** Interrupts an agent of this node for the operator of another one. */
export const interruptHere: Executor<"interrupt"> = async (execution) => ({
  result: { interrupted: await execution.drivers.interrupt(agentOf(execution).id) },
});

async function tell(
  tables: Tables,
  agent: AgentRecord,
  { id, by = "operator:" }: Message,
  detail: string,
  at: number,
): Promise<void> {
  const { id: agentId, repositoryId, issue } = agent;
  const words = actDecision("message", { by, reason: `${personNamed(by)}: words for ${agent.name}` });
  await tables.decisions.add({ ...words, at, repositoryId, issue, agentId, delivery: null });
  // After a restart only the digest distinguishes the same message from another one with its id.
  const digest = createHash("sha256").update(detail).digest("base64url").slice(0, 16);
  const key = `operator:${id}:${digest}:${agent.id}`;
  await tables.ledger.touch(operatorTouch(agent, "comment", { act: id, at }));
  await tables.wakes.add({
    key,
    agentId: agent.id,
    reason: "message",
    detail,
    grant: null,
    dueAt: at,
    createdAt: at,
  });
}

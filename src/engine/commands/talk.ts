import { createHash } from "node:crypto";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { operatorTouch } from "../../domain/reporting/operator-touch.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Drivers } from "../sessions/drivers.ts";
import { reachFor } from "./reach.ts";

/**
 * An operator's message to an agent. `id` is chosen by the caller and unique: the message is delivered once,
 * however often it is sent, even after a restart.
 */
export interface Message {
  readonly agent: string;
  readonly id: string;
  readonly text: string;
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
    await tell(tables, agent, message, `The operator says:\n\n${message.text}`, context.clock.now());
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
  drivers: Drivers,
  message: Message,
): Promise<{ readonly interrupted: boolean }> {
  const active = await context.store.transaction(async (tables) => {
    const { agent } = await reachFor(tables, message.agent, "interrupt");
    if (agent.state !== "ACTIVE") return null;
    const said = message.text === "" ? "Look at what you were doing before you continue." : message.text;
    await tell(tables, agent, message, `The operator interrupted you.\n\n${said}`, context.clock.now());
    return agent.id;
  });
  if (active === null) return { interrupted: false };
  return { interrupted: await drivers.interrupt(active) };
}

async function tell(
  tables: Tables,
  agent: AgentRecord,
  { id }: Message,
  detail: string,
  at: number,
): Promise<void> {
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

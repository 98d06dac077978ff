import { type AgentRecord, type AgentState, isLive } from "../agents/agent-record.ts";
import type { SessionState } from "../agents/session.ts";
import type { OperationFault } from "./operation-fault.ts";

export type Operation = "send" | "interrupt" | "kill" | "revive";
export type SessionMode = AgentRecord["mode"];

/** States in which a conversation accepts each operation. */
const TAKEN_IN: Readonly<Record<Operation, readonly SessionState[]>> = {
  send: ["running", "idle", "waiting_approval", "paused"],
  interrupt: ["running", "waiting_approval", "paused"],
  kill: ["starting", "running", "idle", "waiting_approval", "paused", "stopping"],
  revive: ["stopped", "failed"],
};

/**
 * Returns why a conversation in this state refuses an operation; null when it accepts. The mode is checked first,
 * before anything is started. A conversation that has ended (for kill also one that never began) is `dead_agent`; one
 * that cannot listen now is `not_interactive`; anything else is `invalid_state`.
 */
export function guardOperation(
  state: SessionState,
  operation: Operation,
  subject: { readonly agent: string; readonly runtime: string; readonly mode: SessionMode },
): OperationFault | null {
  if (operation === "send" && subject.mode === "one_shot")
    return {
      code: "capability_mismatch",
      runtime: subject.runtime,
      requested: "a follow-up to a one_shot session",
      hint: "it runs only once; say what is new on the issue, and start a new agent with `/flotilla start <role>`",
    };
  if (TAKEN_IN[operation].includes(state)) return null;
  return { code: codeFor(state, operation), agent: subject.agent, state, operation };
}

function codeFor(
  state: SessionState,
  operation: Operation,
): "invalid_state" | "not_interactive" | "dead_agent" {
  if (operation === "kill") return "dead_agent";
  if (operation === "revive") return "invalid_state";
  if (state === "stopped" || state === "failed") return "dead_agent";
  return state === "idle" ? "invalid_state" : "not_interactive";
}

/**
 * Returns why a runtime cannot serve a conversation of this mode; null when it can. Checked before its process starts.
 */
export function guardMode(
  runtime: { readonly name: string; readonly modes: readonly SessionMode[] },
  requested: SessionMode,
): OperationFault | null {
  if (runtime.modes.includes(requested)) return null;
  return {
    code: "capability_mismatch",
    runtime: runtime.name,
    requested: `a ${requested} session`,
    hint: `it offers ${runtime.modes.join(", ")}; give the role a lifecycle that fits`,
  };
}

const REVIVABLE: readonly AgentState[] = ["ESCALATED", "FAILED", "CANCELLED"];

/**
 * Returns why an agent refuses an operation; null when it accepts. A live agent keeps a message for its next
 * conversation and can be killed at any time. Its own state decides whether it is revived: an ESCALATED attempt is
 * ended first; a COMPLETED one cannot be, since its issue is reopened instead.
 */
export function guardAgentOperation(
  agent: Pick<AgentRecord, "name" | "state" | "runtime" | "mode">,
  session: SessionState | null,
  operation: Operation,
): OperationFault | null {
  const state = session ?? agent.state;
  if (operation === "revive") {
    if (REVIVABLE.includes(agent.state)) return null;
    if (agent.state === "COMPLETED")
      return { code: "invalid_state", agent: agent.name, state: agent.state, operation };
  }
  const subject = { agent: agent.name, runtime: agent.runtime, mode: agent.mode };
  const fault = guardOperation(judged(agent, session, operation), operation, subject);
  return fault !== null && "state" in fault ? { ...fault, state } : fault;
}

/**
 * Returns the state by which the operation is judged: a conversation that ends together with its agent accepts no
 * message.
 */
function judged(
  agent: Pick<AgentRecord, "state">,
  session: SessionState | null,
  operation: Operation,
): SessionState {
  const over = session === null || session === "stopped" || session === "failed";
  if (isLive(agent)) return over ? "idle" : session;
  return session === "stopping" && operation === "kill" ? session : "stopped";
}

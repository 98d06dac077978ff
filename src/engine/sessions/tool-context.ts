import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { StoredEvaluation } from "../../domain/evidence/evaluation.ts";
import type { HostTool, ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { TimeWaited } from "../breakers/time-waited.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { PendingWakes } from "./pending-wakes.ts";

/** The caller of a tool. Repository, issue and branch come from `agent`, never from arguments. */
export interface ToolContext {
  readonly context: EngineContext;
  /** The record from the start of its period. */
  readonly agent: AgentRecord;
  readonly role: Role;
  readonly inbox: Pick<PendingWakes, "news">;
  /** Excludes waiting for git, GitHub or the runtime from the agent's active time. */
  readonly waited: Pick<TimeWaited, "during">;
  /**
   * Returns the next number of an output in the period, from 1. The model chooses the ids of tool calls and
   * may repeat them.
   */
  readonly nextOutput: () => number;
  /** Resolves when the effect is settled or the time is over. */
  readonly settled: (effectId: number, withinMs: number) => Promise<void>;
  /** Stores an evaluator's evaluation; null for any other agent. */
  readonly keepEvaluation: ((evaluation: StoredEvaluation) => Promise<ToolAnswer>) | null;
}

/** Returns those of our tools that are allowed, for one agent. */
export type ToolsFor = (allowed: readonly string[], given: ToolContext) => readonly HostTool[];

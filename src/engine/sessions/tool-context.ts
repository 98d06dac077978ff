import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { StoredEvaluation } from "../../domain/evidence/evaluation.ts";
import type { HostTool, ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { TimeWaited } from "../breakers/time-waited.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { PendingWakes } from "./pending-wakes.ts";

/** Whose call it is. Repository, issue and branch are those of `agent`, never arguments. */
export interface ToolContext {
  readonly context: EngineContext;
  /** As it was when its period began. */
  readonly agent: AgentRecord;
  readonly role: Role;
  readonly inbox: Pick<PendingWakes, "news">;
  /** Takes time that the agent waits for what is outside off its active time. */
  readonly waited: Pick<TimeWaited, "during">;
  /** Numbers the outputs of the period, from 1: ids of tool calls are the model's and may repeat. */
  readonly nextOutput: () => number;
  /** Resolves when the effect is settled, or the time is over. */
  readonly settled: (effectId: number, withinMs: number) => Promise<void>;
  /** Keeps what an evaluator says; null for any other agent. */
  readonly keepEvaluation: ((evaluation: StoredEvaluation) => Promise<ToolAnswer>) | null;
}

/** Those of our tools that are allowed, for one agent. */
export type ToolsFor = (allowed: readonly string[], given: ToolContext) => readonly HostTool[];

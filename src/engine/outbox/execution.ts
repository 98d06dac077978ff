import type { Level } from "../../domain/access/level.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { ChangeSet } from "../../domain/kernel/change-set.ts";
import type { EffectKind, EffectOf } from "../../domain/kernel/effect.ts";
import type { EffectRow, RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Drivers } from "../sessions/drivers.ts";

/** The input of an executor. `agent` is the record as it is now, null for an effect of an issue alone. */
export interface Execution<K extends EffectKind> {
  readonly context: EngineContext;
  readonly drivers: Drivers;
  readonly row: EffectRow;
  readonly effect: EffectOf<K>;
  readonly agent: AgentRecord | null;
  readonly repository: RepositoryRow;
  /** The level; `context.github` and `context.worktrees` allow no write beyond it. */
  readonly level: Level;
}

/**
 * The outcome: `result` stays with the row; the rest is applied in the transaction that settles the effect.
 */
export interface Outcome {
  readonly result: unknown;
  readonly changes?: Partial<ChangeSet>;
  readonly also?: (tables: Tables) => Promise<void>;
}

export type Executor<K extends EffectKind> = (execution: Execution<K>) => Promise<Outcome>;

/** The executor of each kind of effect. */
export type Executors = { readonly [K in EffectKind]: Executor<K> };

/** Returns the agent of an effect that requires one; throws without. */
export function agentOf(execution: {
  readonly agent: AgentRecord | null;
  readonly row: EffectRow;
}): AgentRecord {
  if (execution.agent === null) throw new Error(`effect ${execution.row.key} has no agent`);
  return execution.agent;
}

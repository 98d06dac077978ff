import type { Level } from "../../domain/access/level.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { ChangeSet } from "../../domain/kernel/change-set.ts";
import type { EffectKind, EffectOf } from "../../domain/kernel/effect.ts";
import type { EffectRow, RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Drivers } from "../sessions/drivers.ts";

/** What an executor is given. `agent` is the record as it is now, null for an effect of an issue alone. */
export interface Execution<K extends EffectKind> {
  readonly context: EngineContext;
  readonly drivers: Drivers;
  readonly row: EffectRow;
  readonly effect: EffectOf<K>;
  readonly agent: AgentRecord | null;
  readonly repository: RepositoryRow;
  /** Of its issue; `context.github` and `context.worktrees` let nothing out that goes beyond it. */
  readonly level: Level;
}

/** What came of it: `result` stays with the row, the rest happens in the transaction that settles it. */
export interface Outcome {
  readonly result: unknown;
  readonly reaction?: Partial<ChangeSet>;
  readonly also?: (tables: Tables) => Promise<void>;
}

export type Executor<K extends EffectKind> = (execution: Execution<K>) => Promise<Outcome>;

/** What carries out each kind of effect. */
export type Executors = { readonly [K in EffectKind]: Executor<K> };

/** The agent of an effect that cannot do without one. */
export function agentOf(execution: {
  readonly agent: AgentRecord | null;
  readonly row: EffectRow;
}): AgentRecord {
  if (execution.agent === null) throw new Error(`effect ${execution.row.key} has no agent`);
  return execution.agent;
}

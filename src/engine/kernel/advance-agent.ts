import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { RunEvent } from "../../domain/agents/run.ts";
import type { SessionEvent } from "../../domain/agents/session.ts";
import { type ChangeSet, type Move, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import type { IntentRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type Advanced, advance } from "./advance.ts";
import type { EngineContext } from "./engine-context.ts";
import type { TransitionRequest } from "./transition-request.ts";

/** Advances one agent outside of any delivery. A `name` lets the change set have effects. */
export async function advanceAgent(
  context: EngineContext,
  agent: AgentRecord,
  changes: Partial<ChangeSet>,
  extra: Partial<
    Pick<TransitionRequest, "name" | "person" | "holder" | "also" | "afterwards" | "evidence">
  > = {},
): Promise<Advanced> {
  return advance(context, {
    at: context.clock.now(),
    repositoryId: agent.repositoryId,
    issue: agent.issue,
    delivery: null,
    name: null,
    changes: { ...NO_CHANGES, ...changes },
    ...extra,
  });
}

/** Advances like `advanceAgent`, but only while the period that `agent` was read in lasts. */
export async function advanceHolder(
  context: EngineContext,
  agent: AgentRecord,
  changes: Partial<ChangeSet>,
  extra: Pick<TransitionRequest, "also" | "afterwards" | "evidence"> = {},
): Promise<Advanced> {
  return advanceAgent(context, agent, changes, {
    ...extra,
    holder: { agentId: agent.id, token: agent.token },
  });
}

export function agentMove(agent: AgentRecord, event: AgentEvent): Move {
  return { machine: "agent", id: agent.id, event };
}

export function runMove(run: { readonly id: number }, event: RunEvent): Move {
  return { machine: "run", id: run.id, event };
}

export function sessionMove(session: { readonly id: number }, event: SessionEvent): Move {
  return { machine: "session", id: session.id, event };
}

/** Fields of an agent that may change without a move: paths, commits, numbers; never the state. */
export type AgentNote = Partial<
  Pick<
    AgentRecord,
    | "activeSince"
    | "worktreePath"
    | "baseCommit"
    | "headCommit"
    | "prNumber"
    | "nudges"
    | "restarts"
    | "warned"
    | "reminders"
    | "planFirst"
  >
>;

export async function note(tables: Tables, agentId: number, fields: AgentNote): Promise<void> {
  const before = await tables.records.get("agent", agentId);
  if (before !== undefined) await tables.records.save("agent", before, { ...before, ...fields });
}

/**
 * Returns the `afterwards` that settles an intent: applied, or refused with the reason for which its move was
 * refused.
 */
export function settlingIntent(row: IntentRow | null): NonNullable<TransitionRequest["afterwards"]> {
  return async (tables, refused) => {
    const refusal = refused.find((one) => one.machine === "agent");
    if (row === null) return;
    await tables.intents.settle(row.id, refusal ? "refused" : "applied", refusal?.reason ?? null);
  };
}

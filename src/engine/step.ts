import { eventsOfMove, type TakenMove } from "../core/events-of-move.ts";
import { type Machine, type MachineSnapshot, type Moved, type Refusal, step } from "../core/machine.ts";
import type { Tables } from "../core/ports/store.ts";
import type { Move } from "../core/reaction.ts";
import type { MachineName } from "../core/rows.ts";
import type { Fact } from "./advance.ts";
import type { EngineContext } from "./context.ts";
import { recordRefusal } from "./record-refusal.ts";
import { tell } from "./run-events.ts";
import { turnsOf } from "./turns-used.ts";

/** The steps of one transaction, and what they came to. */
export interface Step {
  readonly context: EngineContext;
  readonly tables: Tables;
  readonly fact: Fact;
  readonly moved: { machine: string; event: string; id: number; to: string; version: number }[];
  readonly refused: Refusal[];
}

/** What a move tells other machines; which records those are is looked up when its turn has come. */
export type Follow = () => Promise<readonly Move[]>;

/** Which agent and issue a transition or a refusal is filed under. */
export interface Subject {
  readonly agentId: number | null;
  readonly repositoryId: number;
  readonly issue: number;
}

export function subjectOf(turn: Step, agentId: number | null = null): Subject {
  return { agentId, repositoryId: turn.fact.repositoryId, issue: turn.fact.issue };
}

/**
 * One event against one record; `before` undefined makes a new one of `blank`. Saves the snapshot and its transition
 * row. A refusal becomes a decision, and null is returned.
 */
export async function stepRecord<
  S extends string,
  Snap extends MachineSnapshot<S>,
  E extends { readonly type: string; readonly actor: string },
  Fx,
  Out,
>(
  turn: Step,
  options: {
    readonly machine: Machine<S, Snap, E, Fx, Out> & { readonly name: string };
    readonly name: MachineName;
    readonly before: Snap | undefined;
    readonly event: E;
    readonly blank: Snap | undefined;
    readonly save: (before: Snap | undefined, next: Snap) => Promise<Snap>;
    readonly subject: (record: Snap | undefined) => Subject;
    readonly reason: (after: Snap) => string | null;
    /** What is told of a run beside its state. */
    readonly run?: (after: Snap) => TakenMove["run"];
    /** What the move rests on; the fact's own where it says nothing. */
    readonly evidence?: unknown;
  },
): Promise<{ readonly after: Snap; readonly moved: Moved<S, Snap, Fx, Out> } | null> {
  const { name, machine, before, event } = options;
  const result = step(machine, before, event, options.blank);
  if (!result.ok) {
    turn.refused.push(result);
    const { at, delivery } = turn.fact;
    const { agentId, repositoryId, issue } = options.subject(before);
    await recordRefusal(turn.tables, result, { agentId, repositoryId, issue, at, delivery });
    return null;
  }
  const after = await options.save(before, result.snapshot);
  turn.moved.push({
    machine: name,
    event: event.type,
    id: after.id,
    to: after.state,
    version: after.version,
  });
  const { agentId, repositoryId, issue } = options.subject(after);
  await turn.tables.transitions.add({
    at: turn.fact.at,
    machine: name,
    recordId: after.id,
    agentId,
    repositoryId,
    issue,
    actor: event.actor,
    event: event.type,
    from: result.from,
    to: after.state,
    reason: options.reason(after),
    evidence: options.evidence ?? turn.fact.evidence ?? null,
    delivery: turn.fact.delivery,
  });
  const agent = agentId === null ? undefined : await turn.tables.records.get("agent", agentId);
  const move = {
    machine: name,
    event: event.type,
    actor: event.actor,
    from: result.from,
    to: after.state,
    reason: options.reason(after),
    agent: agent === undefined ? null : { session: agent.sessionId, turns: turnsOf(turn.context, agent) },
    run: options.run?.(after) ?? null,
  };
  await tell(turn.context, turn.tables, options.subject(after), eventsOfMove(move));
  return { after, moved: result };
}

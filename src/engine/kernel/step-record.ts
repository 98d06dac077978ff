import type { MachineName } from "../../domain/kernel/rows.ts";
import { eventsOfMove, type TakenMove } from "../../domain/kernel/run-events-of-transition.ts";
import {
  type Machine,
  type MachineSnapshot,
  type Moved,
  type Refusal,
  step,
} from "../../domain/kernel/state-machine.ts";
import { wouldChange } from "../../domain/kernel/would-change.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { recordedName } from "../../domain/status/person-named.ts";
import type { StepContext } from "./engine-context.ts";
import { isOperation } from "./operation-name.ts";
import { recordDecision } from "./record-decision.ts";
import { appendRunEvents } from "./run-events.ts";
import { turnsOf } from "./turns-used.ts";

/** The agent and issue under which a transition or a refusal is filed. */
interface Subject {
  readonly agentId: number | null;
  readonly repositoryId: number;
  readonly issue: number;
}

export function subjectOf(tx: StepContext, agentId: number | null = null): Subject {
  return { agentId, repositoryId: tx.request.repositoryId, issue: tx.request.issue };
}

/**
 * Applies one event to one record; `before` undefined creates a new one from `blank`. Saves the snapshot and
 * its transition row. Stores a refusal as a decision and returns null.
 */
export async function stepRecord<
  S extends string,
  Snap extends MachineSnapshot<S>,
  E extends { readonly type: string; readonly actor: string },
  Fx,
  Out,
>(
  tx: StepContext,
  options: {
    readonly machine: Machine<S, Snap, E, Fx, Out> & { readonly name: string };
    readonly name: MachineName;
    readonly before: Snap | undefined;
    readonly event: E;
    readonly blank: Snap | undefined;
    readonly save: (before: Snap | undefined, next: Snap) => Promise<Snap>;
    readonly subject: (record: Snap | undefined) => Subject;
    readonly reason: (after: Snap) => string | null;
    /** Fields of a run that are reported besides its state. */
    readonly run?: (after: Snap) => TakenMove["run"];
    /** What the move is based on; the request's own evidence by default. */
    readonly evidence?: unknown;
  },
): Promise<{ readonly after: Snap; readonly moved: Moved<S, Snap, Fx, Out> } | null> {
  const { name, machine, before, event } = options;
  const result = step(machine, before, event, options.blank);
  if (!result.ok) {
    tx.refused.push(result);
    const { at, delivery } = tx.request;
    const { agentId, repositoryId, issue } = options.subject(before);
    await recordRefusal(tx.tables, result, { agentId, repositoryId, issue, at, delivery });
    return null;
  }
  const after = await options.save(before, result.snapshot);
  tx.moved.push({
    machine: name,
    event: event.type,
    id: after.id,
    to: after.state,
    version: after.version,
  });
  const { agentId, repositoryId, issue } = options.subject(after);
  await tx.tables.transitions.add({
    at: tx.request.at,
    machine: name,
    recordId: after.id,
    agentId,
    repositoryId,
    issue,
    actor: actorOf(event, tx.request),
    event: event.type,
    from: result.from,
    to: after.state,
    reason: options.reason(after),
    evidence: options.evidence ?? tx.request.evidence ?? null,
    delivery: tx.request.delivery,
    acted: isOperation(tx.request.name),
  });
  const agent = agentId === null ? undefined : await tx.tables.records.get("agent", agentId);
  const move = {
    machine: name,
    event: event.type,
    actor: event.actor,
    from: result.from,
    to: after.state,
    reason: options.reason(after),
    agent: agent === undefined ? null : { session: agent.sessionId, turns: turnsOf(tx.context, agent) },
    run: options.run?.(after) ?? null,
  };
  await appendRunEvents(tx.context, tx.tables, options.subject(after), eventsOfMove(move));
  return { after, moved: result };
}

/** Returns who is recorded to have made the move: a person is never taken for Flotilla or an agent. */
function actorOf(
  { actor }: { readonly actor: string },
  { person }: Pick<StepContext["request"], "person">,
): string {
  return person === actor ? recordedName(actor) : actor;
}

/** Stores a refusal as a decision; a repeated one with nothing new in between is only counted. */
async function recordRefusal(
  tables: Tables,
  refusal: Refusal,
  where: {
    readonly at: number;
    readonly agentId: number | null;
    readonly repositoryId: number;
    readonly issue: number;
    readonly delivery: string | null;
  },
): Promise<void> {
  const { rule, reason, machine, state, event, code } = refusal;
  const change = wouldChange(refusal);
  const decision = { ...where, rule, reason, change, inputs: { machine, state, event, code } };
  // A refusal by an agent's machine answers a person's request, so people see it even if no agent was
  // created.
  await recordDecision(tables, decision, machine === "agent");
}

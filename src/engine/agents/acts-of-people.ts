import type { Tables } from "../../domain/ports/store.ts";
import { actDecision, type DecidedAct } from "../../domain/reporting/persons-act.ts";
import { personNamed, recordedName } from "../../domain/status/person-named.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";

/**
 * Saves what a person did to agents where no move will say that they did it: Flotilla wakes an agent later, by itself, and an
 * agent completes and begins by the same moves without a person.
 */
export async function saveActsOfPeople(
  _: EngineContext,
  tables: Tables,
  { at, repositoryId, issue, delivery, changes, person }: TransitionRequest,
): Promise<void> {
  if (person === undefined) return;
  const by = recordedName(person);
  for (const [agentId, act] of actsIn(changes)) {
    const agent = await tables.records.get("agent", agentId);
    const reason = `${personNamed(by)}: ${WORDS[act]} ${agent?.name ?? "an agent"}`;
    await tables.decisions.add({
      ...actDecision(act, { by, reason }),
      at,
      repositoryId,
      issue,
      agentId,
      delivery,
    });
  }
}

const WORDS: Readonly<Partial<Record<DecidedAct, string>>> = {
  start: "start of",
  resume: "go-ahead for",
  answer: "answer to",
  message: "words for",
  complete: "end of",
  set: "new attributes of",
};

/** Returns one act for each agent, the one that says most. */
function actsIn({ moves, wakes, attributes }: TransitionRequest["changes"]): ReadonlyMap<number, DecidedAct> {
  const found = new Map<number, DecidedAct>();
  const moved = new Set<number>();
  for (const move of moves) {
    if (move.machine !== "agent" || move.id === null) continue;
    moved.add(move.id);
    if (move.event.type === "COMPLETE" && move.event.cause === "person") found.set(move.id, "complete");
    if (move.event.type === "START") found.set(move.id, "start");
  }
  // What was granted is known by the move that takes it.
  for (const reason of ["answer", "resumed", "message"] as const)
    for (const wake of wakes)
      if (
        wake.reason === reason &&
        wake.grant === null &&
        !moved.has(wake.agentId) &&
        !found.has(wake.agentId)
      )
        found.set(wake.agentId, reason === "resumed" ? "resume" : reason);
  for (const { agentId } of attributes) if (!found.has(agentId)) found.set(agentId, "set");
  return found;
}

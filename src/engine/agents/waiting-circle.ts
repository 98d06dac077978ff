import { type AgentRecord, LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { findCycle } from "../../domain/blockers/cycle.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { readable } from "../kernel/readable.ts";

/** An issue, identified by the id of its repository. */
interface Place {
  readonly repositoryId: number;
  readonly number: number;
}

const keyOf = ({ repositoryId, number }: Place) => `${repositoryId}#${number}`;

/**
 * Returns the circle of our sleepers, across repositories, that `agent` would close by waiting for `blocker`:
 * issue references from its own issue back to itself. Null when there is none, and when `blocker` is its own
 * issue.
 */
export async function findSleepersCircle(
  tables: Pick<Tables, "records" | "repositories">,
  agent: AgentRecord,
  blocker: Place,
): Promise<readonly string[] | null> {
  const own: Place = { repositoryId: agent.repositoryId, number: agent.issue };
  if (keyOf(own) === keyOf(blocker)) return null;
  const waitsFor = new Map<string, readonly string[]>();
  const places = new Map([own, blocker].map((place) => [keyOf(place), place]));
  for (let edge: readonly Place[] = [blocker]; edge.length > 0; ) {
    const next: Place[] = [];
    for (const { repositoryId, number } of edge) {
      const live = await readable(tables, "agent", {
        repositoryId,
        issue: number,
        state: LIVE_AGENT_STATES,
      });
      const waits = live.filter(({ id }) => id !== agent.id).flatMap(waitsOf);
      waitsFor.set(keyOf({ repositoryId, number }), waits.map(keyOf));
      next.push(...waits);
    }
    for (const place of next) places.set(keyOf(place), place);
    edge = [...new Map(next.map((place) => [keyOf(place), place])).values()].filter(
      (place) => !waitsFor.has(keyOf(place)),
    );
  }
  const circle = findCycle(waitsFor, keyOf(own), keyOf(blocker));
  if (circle === null) return null;
  return Promise.all(circle.map((key) => nameOf(tables, own, places.get(key) ?? own)));
}

function waitsOf({ repositoryId, blockedBy, blockedElsewhere }: AgentRecord): readonly Place[] {
  return [...blockedBy.map((number) => ({ repositoryId, number })), ...blockedElsewhere];
}

async function nameOf(
  { repositories }: Pick<Tables, "repositories">,
  home: Place,
  { repositoryId, number }: Place,
): Promise<string> {
  if (repositoryId === home.repositoryId) return `#${number}`;
  const repository = await repositories.get(repositoryId);
  return `${repository === undefined ? repositoryId : `${repository.owner}/${repository.name}`}#${number}`;
}

import { parseMarker } from "../../src/domain/messages/marker.ts";
import { REPOSITORY, type Rig } from "../engine/rig.ts";

/** What a life came to. */
export interface End {
  /** Why the agent says that it has ended. */
  readonly reason: string | null | undefined;
  /** Equal for each order. */
  readonly same: Awaited<ReturnType<typeof sameOf>>;
}

export async function endOf(rig: Rig): Promise<End> {
  const [agent] = await rig.store.records.find("agent", {});
  return { reason: agent?.reason, same: await sameOf(rig) };
}

/**
 * Agents and tasks, what GitHub shows of them, and every effect that was carried out. Which webhook made us look at
 * GitHub, and which one made us write the one status comment again, depends on who came first and is not compared.
 */
async function sameOf({ store, repository, logged }: Rig) {
  const agents = await store.records.find("agent", {});
  const tasks = await store.records.find("task", { repositoryId: REPOSITORY.id });
  const effects = await store.effects.find({ state: ["pending", "leased", "done", "failed"] });
  const acts = effects.filter(({ kind }) => !kind.startsWith("look_at_") && kind !== "status_comment");
  const deliveries = await store.deliveries.list({}, 1000);
  return {
    agents: agents.map(({ name, state, sleepReason, wakes }) => ({ name, state, sleepReason, wakes })),
    tasks: tasks.map(({ issue, state }) => ({ issue, state })),
    acts: acts.map(({ key, state }) => `${key} ${state}`).toSorted(),
    deliveries: deliveries.map(({ guid, state }) => `${guid} ${state}`).toSorted(),
    comments: [...repository.comments].map(([number, all]) => ({
      number,
      keys: all.map(({ body }) => parseMarker(body)?.key ?? body).toSorted(),
    })),
    issues: [...repository.issues.values()].map(({ number, state, labels }) => ({
      number,
      state,
      labels: labels.toSorted(),
    })),
    pulls: [...repository.pulls.values()].map((pull) => {
      const { number, state, merged, draft } = pull;
      return { number, state, merged, draft };
    }),
    reactions: repository.reactions.map(({ commentId, reaction }) => `${commentId} ${reaction}`).toSorted(),
    errors: logged.filter(({ level }) => level === "error"),
  };
}

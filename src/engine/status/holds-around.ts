import { mayRunIn } from "../../domain/access/confinement.ts";
import { type Hold, holdsOnWork, scopeHold } from "../../domain/breakers/hold.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { isProbe } from "../breakers/is-probe.ts";
import type { EngineContext, Guarded } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import { heldBySprint } from "../planning/sprint-of.ts";

/**
 * Returns the holds on every agent of an issue: pauses of its scope, its sprint, a full disk, and missing
 * confinement where everybody can write.
 */
export async function holdsAround(
  { diskRoom, settings }: EngineContext,
  tables: Tables,
  place: { readonly repositoryId: number; readonly issue: number },
): Promise<readonly Hold[]> {
  const repository = await tables.repositories.get(place.repositoryId);
  const pauses = await tables.scopePauses.over(place.repositoryId);
  return [
    ...pauses.map(scopeHold),
    ...(await heldBySprint(tables, place)),
    ...(diskRoom.refusal === null ? [] : [diskHold(diskRoom.refusal)]),
    ...(repository === undefined || mayRunIn(settings, repository) ? [] : [UNCONFINED]),
  ];
}

/** Returns the holds on one agent beyond its own holders: an incident spares its probe. */
export async function holdsOnAgent(
  context: EngineContext,
  tables: Tables,
  { agent }: Guarded,
): Promise<readonly Hold[]> {
  const holds = await holdsAround(context, tables, agent);
  const spared = holds.some(({ by }) => by === "incident") && (await isProbe(tables, agent));
  return holds.filter(({ by }) => by !== "incident" || !spared);
}

/**
 * Returns the holds that keep Flotilla from merging an issue's work, changing its branch and rerunning its
 * checks.
 */
export async function holdsOnIssue(
  context: EngineContext,
  place: { readonly repositoryId: number; readonly issue: number },
): Promise<readonly Hold[]> {
  const { store } = context;
  const { repositoryId, issue } = place;
  const agents = await readable(store, "agent", { repositoryId, issue });
  return holdsOnWork(agents, await holdsAround(context, store, place));
}

const UNCONFINED: Hold = {
  by: "confinement",
  what: "the repository is public and agents run unconfined",
  ends: "the operator configures a sandbox, or the repository is made private",
};

function diskHold(refusal: string): Hold {
  return { by: "disk", what: refusal, ends: "it continues when the disk has room again" };
}

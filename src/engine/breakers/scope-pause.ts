import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { pauseText, type Scope, type ScopeHolder } from "../../domain/breakers/scope.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { pauseAtWork } from "./pause-at-work.ts";

export interface ScopePauseRequest {
  readonly scope: Scope;
  readonly holder: ScopeHolder;
  readonly by: string;
  readonly reason: string | null;
}

/**
 * Pauses a scope: from this commit on nothing in it starts or wakes, and its ACTIVE agents sleep (reason
 * paused) with a wake that is taken once no pause is left. Returns whether the pause is new, and the agents
 * that were put to sleep.
 */
export async function pauseScope(
  context: EngineContext,
  request: ScopePauseRequest,
): Promise<{ readonly news: boolean; readonly paused: readonly AgentRecord[] }> {
  const news = await context.store.scopePauses.add({ ...request, since: context.clock.now() });
  if (news) context.shownHolds.requestRound();
  const paused: AgentRecord[] = [];
  for (const agent of await atWorkIn(context, request.scope))
    if (await pauseAtWork(context, agent.id, { by: request.by, why: pauseText(request) })) paused.push(agent);
  context.changed();
  return { news, paused };
}

/**
 * Lifts the holder's own pause of exactly this scope; returns false when there was none. Waiting agents are
 * offered again.
 */
export async function resumeScope(
  context: EngineContext,
  request: { readonly scope: Scope; readonly holder: ScopeHolder },
): Promise<boolean> {
  const lifted = await context.store.scopePauses.lift(request.scope, request.holder);
  if (lifted) {
    context.shownHolds.requestRound();
    context.changed();
  }
  return lifted;
}

async function atWorkIn(context: EngineContext, scope: Scope): Promise<readonly AgentRecord[]> {
  const repositoryId = scope === "all" ? undefined : Number(scope.slice("repository:".length));
  return context.store.records.find("agent", {
    state: "ACTIVE",
    ...(repositoryId === undefined ? {} : { repositoryId }),
  });
}

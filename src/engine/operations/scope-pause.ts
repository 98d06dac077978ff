import { StaleSnapshot } from "../../core/errors.ts";
import type { AgentRecord, AgentState } from "../../core/machines/agent-record.ts";
import { pauseText, type Scope, type ScopeHolder } from "../../core/scope.ts";
import type { EngineContext } from "../context.ts";
import { renewComments } from "../renew-comments.ts";
import { advanceAgent, agentMove } from "../settle.ts";

export interface ScopePauseWish {
  readonly scope: Scope;
  readonly holder: ScopeHolder;
  readonly by: string;
  readonly reason: string | null;
}

/** How often an agent's PAUSE is decided again when something else has moved it meanwhile. */
const TRIES = 5;

/**
 * Pauses a scope: from this commit on nothing of it starts or wakes, and its ACTIVE agents sleep (reason paused) with
 * a wake that is taken once no pause is left. Returns whether it is news, and the agents that were put to sleep.
 */
export async function pauseScope(
  context: EngineContext,
  wish: ScopePauseWish,
): Promise<{ readonly news: boolean; readonly paused: readonly AgentRecord[] }> {
  const news = await context.store.scopePauses.add({ ...wish, since: context.clock.now() });
  // An incident is told by its own comment, and may be a GitHub that takes nothing.
  if (news && wish.holder === "person") await tellResting(context, wish, "begins");
  const paused: AgentRecord[] = [];
  for (const agent of await agentsIn(context, wish.scope, "ACTIVE"))
    if (await pauseOne(context, agent.id, wish)) paused.push(agent);
  context.changed();
  return { news, paused };
}

/** Lifts the holder's own pause of exactly this scope; false when there was none. What waited is offered again. */
export async function resumeScope(
  context: EngineContext,
  wish: { readonly scope: Scope; readonly holder: ScopeHolder },
): Promise<boolean> {
  const lifted = await context.store.scopePauses.lift(wish.scope, wish.holder);
  if (lifted) await tellResting(context, wish, "ends");
  if (lifted) context.changed();
  return lifted;
}

async function tellResting(
  context: EngineContext,
  { scope, holder }: Pick<ScopePauseWish, "scope" | "holder">,
  what: "begins" | "ends",
): Promise<void> {
  const { store, clock } = context;
  const at = clock.now();
  const resting = await agentsIn(context, scope, ["CREATED", "SLEEPING", "ESCALATED"]);
  await renewComments(store, resting, { cause: `pause-${what}:${scope}:${holder}:${at}`, at });
}

async function agentsIn(
  context: EngineContext,
  scope: Scope,
  state: AgentState | readonly AgentState[],
): Promise<readonly AgentRecord[]> {
  const repositoryId = scope === "all" ? undefined : Number(scope.slice("repository:".length));
  return context.store.records.find("agent", {
    state,
    ...(repositoryId === undefined ? {} : { repositoryId }),
  });
}

async function pauseOne(context: EngineContext, agentId: number, wish: ScopePauseWish): Promise<boolean> {
  for (let tried = 1; ; tried += 1) {
    const agent = await context.store.records.get("agent", agentId);
    if (agent?.state !== "ACTIVE") return false;
    try {
      const { moved } = await advanceAgent(context, agent, pausing(agent, wish, context.clock.now()));
      return moved.length > 0;
    } catch (error) {
      if (!(error instanceof StaleSnapshot) || tried === TRIES) throw error;
    }
  }
}

function pausing(agent: AgentRecord, wish: ScopePauseWish, at: number) {
  const why = pauseText(wish);
  return {
    moves: [agentMove(agent, { type: "PAUSE", at, actor: wish.by, holder: null, why })],
    wakes: [
      {
        key: `scope:${agent.id}:${agent.token}`,
        agentId: agent.id,
        reason: "resumed" as const,
        detail: `the pause is over (${why})`,
        grant: null,
        dueAt: at,
      },
    ],
  };
}

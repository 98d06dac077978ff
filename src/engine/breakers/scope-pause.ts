import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { pauseText, type Scope, type ScopeHolder } from "../../domain/breakers/scope.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { actDecision } from "../../domain/reporting/persons-act.ts";
import { personNamed } from "../../domain/status/person-named.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { pauseAtWork } from "./pause-at-work.ts";

export interface ScopePauseRequest {
  readonly scope: Scope;
  readonly holder: ScopeHolder;
  readonly by: string;
  readonly reason: string | null;
}

export type ScopeResumeRequest = Omit<ScopePauseRequest, "reason"> &
  Partial<Pick<ScopePauseRequest, "reason">>;

/**
 * Pauses a scope: from this commit on nothing in it starts or wakes, and its ACTIVE agents sleep (reason
 * paused) with a wake that is taken once no pause is left. Returns whether the pause is new, and the agents
 * that were put to sleep.
 */
export async function pauseScope(
  context: EngineContext,
  request: ScopePauseRequest,
): Promise<{ readonly news: boolean; readonly paused: readonly AgentRecord[] }> {
  const at = context.clock.now();
  // An emergency stop waits for no other write.
  const news = await context.store.scopePauses.add({ ...request, since: at });
  if (news && request.holder === "person")
    await context.store.decisions.add(byPerson("pause_scope", request, at));
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
export async function resumeScope(context: EngineContext, request: ScopeResumeRequest): Promise<boolean> {
  const lifted = await context.store.scopePauses.lift(request.scope, request.holder);
  if (lifted && request.holder === "person")
    await context.store.decisions.add(byPerson("resume_scope", request, context.clock.now()));
  if (lifted) {
    context.shownHolds.requestRound();
    context.changed();
  }
  return lifted;
}

/** Returns the decision by which a person's pause of a scope, or its end, is known later. */
function byPerson(
  act: "pause_scope" | "resume_scope",
  { scope, by, reason = null }: Omit<ScopeResumeRequest, "holder">,
  at: number,
): Parameters<Tables["decisions"]["add"]>[0] {
  const id = scope === "all" ? null : idOf(scope);
  const did = `${personNamed(by)} ${act === "pause_scope" ? "paused" : "resumed"} ${id === null ? "everything" : "this repository"}`;
  return {
    ...actDecision(act, { by, reason: reason === null ? did : `${did}: ${reason}`, said: reason }),
    at,
    repositoryId: id,
    // That of no issue.
    issue: 0,
    agentId: null,
    delivery: null,
  };
}

const idOf = (scope: Exclude<Scope, "all">): number => Number(scope.slice("repository:".length));

async function atWorkIn(context: EngineContext, scope: Scope): Promise<readonly AgentRecord[]> {
  const repositoryId = scope === "all" ? undefined : idOf(scope);
  return context.store.records.find("agent", {
    state: "ACTIVE",
    ...(repositoryId === undefined ? {} : { repositoryId }),
  });
}

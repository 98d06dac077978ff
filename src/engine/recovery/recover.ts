import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { SessionRecord } from "../../domain/agents/session.ts";
import { lostForGood, OPENING_STEPS } from "../../domain/breakers/lone-opening.ts";
import { afterExchange } from "../../domain/sessions/exchange.ts";
import { checkBlockReport } from "../blockers/check-block-report.ts";
import { keyVariableOf } from "../breakers/asked-models.ts";
import { evaluatorDirectory } from "../evidence/evaluator-directory.ts";
import { removeCheckout } from "../evidence/remove-checkout.ts";
import { commandMark } from "../evidence/run-shell.ts";
import { advanceAgent, advanceHolder, agentMove, runMove } from "../kernel/advance-agent.ts";
import { atWorkHere, ofThisNode } from "../kernel/at-work-here.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { readable } from "../kernel/readable.ts";
import { applyingIntent } from "../questions/asked.ts";
import { applyVerdict } from "../review/apply-verdict.ts";
import { interruptCalls } from "../sessions/interrupt-calls.ts";

export interface Recovered {
  readonly effects: number;
  readonly deliveries: number;
  readonly processes: number;
  readonly agents: number;
}

/**
 * Moves what an earlier process left under way into a legal state, from which it continues automatically: everything,
 * where nobody else uses the database; else what is of this node. What other nodes left is up to `lost-nodes.ts`.
 */
export async function recover(context: EngineContext): Promise<Recovered> {
  const { store, clock, log, alone } = context;
  const runtimes = [...context.runtimes.values()];
  const now = clock.now();
  const abandoned = { nodes: alone ? null : [context.node], now };
  const effects = await store.effects.reclaim({ ...abandoned, lagsUntil: now + context.secondLookupMs });
  const deliveries = await store.deliveries.reclaim(abandoned);
  const active = await atWorkHere(context);
  const sessions = await mayHaveProcess(context, active);
  const own = await Promise.all(
    sessions.map(async ({ sessionId, agentId }) => ({
      sessionId,
      baseDirectory: await context.directories.session(agentId),
    })),
  );
  const evaluators = await Promise.all(sessions.map((session) => evaluatorDirectory(context, session)));
  let processes = 0;
  // Each is asked about all: the one that an agent had may be configured under another name now.
  for (const runtime of runtimes) processes += await runtime.reap([...own, ...evaluators]);
  for (const evaluator of evaluators)
    for (const runtime of runtimes)
      await runtime.destroy(evaluator).catch((error: unknown) => {
        log.warn({ error, session: evaluator.sessionId }, "evaluator's session not deleted");
      });
  if (alone) await interruptCalls(context, null);
  else for (const id of new Set(sessions.map(({ agentId }) => agentId))) await interruptCalls(context, id);
  const commands = await context.runner.killMarked(
    await Promise.all(
      (await store.records.ids("agent", { state: "ACTIVE", ...ofThisNode(context) })).map((id) =>
        commandMark(context, id),
      ),
    ),
  );
  for (const agent of active) await removeCheckout(context, agent);
  const lost = Map.groupBy(await store.loneOpenings.all(), ({ agentId }) => agentId);
  for (const agent of active)
    await suspendAgent(context, agent, { lost: lostForGood(lost.get(agent.id) ?? []) });
  return { effects, deliveries, processes: processes + commands, agents: active.length };
}

/**
 * Returns the conversations that may have a process: of agents at work, and of those whose stop was not
 * carried out.
 */
async function mayHaveProcess(
  context: EngineContext,
  active: readonly AgentRecord[],
): Promise<readonly SessionRecord[]> {
  const { store } = context;
  const stops = await store.effects.find({ kind: "close_session", state: ["pending", "leased"] });
  const under = await readable(store, "session", { state: ["starting", "running", "stopping"] });
  const ids = new Set([
    ...active.map(({ id }) => id),
    ...stops.flatMap(({ agentId }) => agentId ?? []),
    ...under.map(({ agentId }) => agentId),
  ]);
  const here = await agentsOf(context, [...ids]);
  const sessions = await readable(store, "session", { agentId: here });
  return sessions.filter(({ state }) => state !== "stopped");
}

/** Returns those of the agents that are of the node, or all. */
export async function agentsOf(
  { store, node, alone }: EngineContext,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (alone) return ids;
  const here = new Set(await store.records.ids("agent", { id: ids, node }));
  return ids.filter((id) => here.has(id));
}

/** How an agent rests that was ACTIVE when the host stopped. */
interface Rest {
  /** Milliseconds until the agent is woken. The due time is stored, so a later start wakes it at once. */
  readonly pauseMs?: number;
  /** Why the agent is not opened again, where its opening keeps ending the process. */
  readonly lost?: string | null;
  /** What people read of its sleep, and it of its wake. */
  readonly words?: { readonly moved: string; readonly woken: string };
}

/** The words of a rest on a machine that is drained. */
export const DRAINED = {
  moved: "its machine is being drained",
  woken: "its machine was drained between two turns: it continues, perhaps on another one",
} as const;

const STOPPED = { moved: "the host stopped", woken: "the host was restarted" } as const;

/**
 * Ends an ACTIVE agent's period because the host stops or was killed. Applies a recorded intent first; an
 * agent still ACTIVE then sleeps (reason restart) with a wake, or fails where its opening keeps ending the
 * process. Never throws, so that one agent does not affect the others.
 */
export async function suspendAgent(
  context: EngineContext,
  agent: AgentRecord,
  rest: Rest = {},
): Promise<void> {
  const { log } = context;
  await applyIntent(context, agent).catch((error: unknown) => {
    // The intent stays recorded and is applied at the wake.
    log.warn({ error, agent: agent.name }, "recorded intent not applied yet");
  });
  await moveToRest(context, agent, rest).catch((error: unknown) => {
    log.error({ error, agent: agent.name }, "agent not put to sleep");
  });
}

async function moveToRest(context: EngineContext, agent: AgentRecord, rest: Rest): Promise<void> {
  const { pauseMs = 0, lost = null, words = STOPPED } = rest;
  const current = await context.store.records.get("agent", agent.id);
  if (current?.state !== "ACTIVE" || current.token !== agent.token) return;
  const at = context.clock.now();
  if (lost !== null) {
    const fail = {
      type: "FAIL",
      at,
      actor: "flotilla",
      reason: lost,
      breaker: null,
      code: "start_failed",
    } as const;
    await advanceAgent(
      context,
      current,
      { moves: [agentMove(current, fail)] },
      {
        also: async ({ loneOpenings }) => {
          for (const step of OPENING_STEPS) await loneOpenings.end(agent.id, step);
        },
      },
    );
    return;
  }
  const wait = {
    type: "WAIT",
    at,
    actor: "flotilla",
    reason: "restart",
    dueAt: null,
    crash: false,
    breaker: null,
    detail: words.moved,
  } as const;
  await advanceAgent(context, current, {
    moves: [agentMove(current, wait)],
    wakes: [
      {
        key: `restart:${agent.id}:${agent.token}`,
        agentId: agent.id,
        reason: "restart",
        detail: words.woken,
        grant: null,
        dueAt: at + pauseMs,
      },
    ],
  });
}

/**
 * Applies the recorded intent. A claim stays recorded, with the run in evaluating: the wake evaluates it
 * before anything else.
 */
async function applyIntent(context: EngineContext, agent: AgentRecord): Promise<void> {
  const checked = await checkBlockReport(context, agent);
  if (checked.intent === null || checked.row === null) return;
  if (checked.intent.kind === "submit_verdict") return void (await applyVerdict(context, agent, checked));
  const at = context.clock.now();
  if (checked.intent.kind === "report_complete" || checked.intent.kind === "request_review") {
    const run = await runOf(context.store, agent.id);
    if (run?.state === "executing")
      await advanceAgent(context, agent, {
        moves: [runMove(run, { type: "STEP_COMPLETE", at, actor: "agent" })],
      });
    return;
  }
  const decision = afterExchange({
    at,
    agent,
    end: { kind: "aborted" },
    intent: checked.intent,
    blocker: checked.blocker,
    replanner: checked.replanner,
    breaker: null,
    wrapUp: null,
    room: false,
    pending: false,
    maxRestarts: context.settings.retries.maxRestarts,
    providerAt: at,
    idleSince: at,
    used: "",
    keyVariable: keyVariableOf(context, agent),
  });
  if (decision.next !== "move") return;
  await advanceHolder(
    context,
    agent,
    { moves: [agentMove(agent, decision.event)] },
    { afterwards: applyingIntent(agent, checked, at) },
  );
}

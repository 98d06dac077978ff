import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** After the next try has had its time. */
const SOON_MS = 10_000;
/** An output that is not even tried for so long is waited for asleep. */
const AWAKE_MS = 15_000;

/** How the end of an effect is waited for: `signal` is aborted when the host stops. */
export interface Waiting {
  readonly settled: (effectId: number, withinMs: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * A claim rests on the commits and the pull request of its agent: while GitHub cannot take one that it has asked for,
 * nothing is missing yet. A commit that its agent's sleep cut off is asked for again. Throws `OutsideError` `unavailable`
 * (retry) with when the next try will have been made, so that the agent sleeps over it and its claim stays recorded. Resolves with the agent as its outputs left it, null when its period is over or the host stops.
 */
export async function outputsSettled(
  context: EngineContext,
  agent: AgentRecord,
  { settled, signal }: Waiting,
): Promise<AgentRecord | null> {
  const { store, clock } = context;
  await askAgain(context, agent);
  const fresh = (await openOutputs(context, agent)).findLast(({ error }) => error === null);
  if (fresh !== undefined) await Promise.race([settled(fresh.id, AWAKE_MS), aborted(signal)]);
  if (signal.aborted) return null;
  const [waiting] = await openOutputs(context, agent);
  if (waiting !== undefined)
    throw new OutsideError("unavailable", `${waiting.kind} is not done yet: ${waiting.error ?? "it waits"}`, {
      consequence: "retry",
      retryAt: Math.max(waiting.notBefore, clock.now()) + SOON_MS,
    });
  const present = await store.records.get("agent", agent.id);
  return present?.state === "ACTIVE" && present.token === agent.token ? present : null;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function openOutputs(context: EngineContext, agent: AgentRecord): Promise<readonly EffectRow[]> {
  const outputs = await outputsOf(context, agent);
  return outputs.filter(({ state }) => state === "pending" || state === "leased");
}

/** What followed a commit that was cut off failed for want of it. */
async function askAgain(context: EngineContext, agent: AgentRecord): Promise<void> {
  const outputs = await outputsOf(context, agent);
  const last = outputs.findLast(({ kind }) => kind === "commit");
  if (last?.state !== "skipped" || last.token === agent.token) return;
  const lost = outputs.filter(
    ({ id, state }) => id >= last.id && (state === "skipped" || state === "failed"),
  );
  const again = lost.map(({ key, payload }) =>
    agentEffect(
      agent,
      payload,
      `${key.replace(/:again-\d+$/, "")}:again-${agent.token}`,
      context.clock.now(),
    ),
  );
  await context.store.effects.add(again);
  context.changed();
}

/** Commits and pull requests that the agent itself asked for, oldest first. */
async function outputsOf({ store }: EngineContext, agent: AgentRecord): Promise<readonly EffectRow[]> {
  const found = await Promise.all(
    (["commit", "open_pr"] as const).map((kind) => store.effects.find({ agentId: agent.id, kind })),
  );
  return found
    .flat()
    .filter(({ key }) => key.includes(":call-"))
    .toSorted((one, other) => one.id - other.id);
}

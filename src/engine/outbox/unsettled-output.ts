import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Delay that lets the next try finish first. */
const SOON_MS = 10_000;
/** The agent waits asleep for an output that is not tried for this long. */
const AWAKE_MS = 15_000;

/** How the caller waits for the end of an effect: `signal` is aborted when the host stops. */
export interface Waiting {
  readonly settled: (effectId: number, withinMs: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Waits for the commits, the pull request and the sub-issues that an agent's claim rests on, and requests a commit again that
 * the agent's sleep cut off. Throws `OutsideError` `unavailable` (retry) while GitHub is down, so that the
 * agent sleeps until the next try. Resolves with the agent; null when its period is over or the host stops.
 */
export async function waitForOutputs(
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

/** The effects after a commit that was cut off failed because it was missing. */
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

/** What a claim rests on: a sub-issue that is opened after it would be a draft that nobody begins. */
const OUTPUTS = ["commit", "open_pr", "create_sub_issue"] as const;

/** Returns the commits, pull requests and sub-issues that the agent itself asked for, oldest first. */
async function outputsOf({ store }: EngineContext, agent: AgentRecord): Promise<readonly EffectRow[]> {
  const found = await Promise.all(OUTPUTS.map((kind) => store.effects.find({ agentId: agent.id, kind })));
  return found
    .flat()
    .filter(({ key }) => key.includes(":call-"))
    .toSorted((one, other) => one.id - other.id);
}

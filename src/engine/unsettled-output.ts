import { OutsideError } from "../core/errors.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { EffectRow } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";
import { agentEffect } from "./effect-rows.ts";

/** After the next try has had its time. */
const SOON_MS = 10_000;
const LOOK_EVERY_MS = 1000;
/** Longer than this an output that is not even tried is waited for asleep. */
const LOOKS = 30;

/**
 * A claim rests on the commits and the pull request of its agent: while GitHub cannot take one that it has asked for,
 * nothing is missing yet. A commit that its agent's sleep cut off is asked for again. Throws `OutsideError` `unavailable`
 * (retry) with when the next try will have been made, so that the agent sleeps over it and its claim stays recorded. Resolves with the agent as its outputs left it, null when its period is over or the host stops.
 */
export async function outputsSettled(
  context: EngineContext,
  agent: AgentRecord,
  signal: AbortSignal,
): Promise<AgentRecord | null> {
  const { store, clock } = context;
  await askAgain(context, agent);
  for (let look = 1; ; look += 1) {
    const open = await outputsOf(context, agent, ["pending", "leased"]);
    const waiting = open.find(({ error }) => error !== null) ?? open[0];
    if (waiting === undefined) break;
    if (waiting.error !== null || look === LOOKS)
      throw new OutsideError(
        "unavailable",
        `${waiting.kind} is not done yet: ${waiting.error ?? "it waits"}`,
        {
          consequence: "retry",
          retryAt: Math.max(waiting.notBefore, clock.now()) + SOON_MS,
        },
      );
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
    if (signal.aborted) return null;
  }
  const present = await store.records.get("agent", agent.id);
  return present?.state === "ACTIVE" && present.token === agent.token ? present : null;
}

/** What followed a commit that was cut off failed for want of it. */
async function askAgain(context: EngineContext, agent: AgentRecord): Promise<void> {
  const outputs = await outputsOf(context, agent, null);
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
async function outputsOf(
  { store }: EngineContext,
  agent: AgentRecord,
  states: readonly EffectRow["state"][] | null,
): Promise<readonly EffectRow[]> {
  const found = await Promise.all(
    (["commit", "open_pr"] as const).map((kind) => store.effects.find({ agentId: agent.id, kind })),
  );
  return found
    .flat()
    .filter(({ key, state }) => key.includes(":call-") && (states === null || states.includes(state)))
    .toSorted((one, other) => one.id - other.id);
}

import { LEVELS, type Level } from "../../domain/access/level.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Effect } from "../../domain/kernel/effect.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { ToolContext } from "../sessions/tool-context.ts";
import { toolRefusal } from "./define-tool.ts";

/** How long a tool waits for its output. */
const OUTPUT_WAIT_MS = 60_000;

/** The output of a tool: an effect of the outbox. */
interface Output<E extends Effect> {
  /** `count` numbers the outputs of the period. */
  readonly effect: (agent: AgentRecord, count: number) => E;
  /** Returns why the output is refused, for the model, or null. Runs in the transaction that queues it. */
  readonly refusal: (facts: {
    readonly tables: Pick<Tables, "effects">;
    readonly settings: Settings;
    readonly agent: AgentRecord;
    readonly effect: E;
  }) => string | null | Promise<string | null>;
  /**
   * Returns the text that the model reads on success. `withheldAt` is the level that kept a commit from being
   * pushed.
   */
  readonly done: (result: Readonly<Record<string, unknown>>, withheldAt: Level | null) => string;
}

/** Queues the output and waits until it is done, at most 60 s. */
export function queueOutput<E extends Effect>(given: ToolContext, output: Output<E>): Promise<ToolAnswer> {
  const count = given.nextOutput();
  return given.waited.during(() => queue(given, output, count));
}

async function queue<E extends Effect>(
  { context, agent, settled }: ToolContext,
  output: Output<E>,
  count: number,
): Promise<ToolAnswer> {
  const { store, clock } = context;
  const current = (await store.records.get("agent", agent.id)) ?? agent;
  if (current.state !== "ACTIVE" || current.token !== agent.token)
    return toolRefusal("Your period is over; nothing was done.");
  const effect = output.effect(current, count);
  const key = `agent-${agent.id}:t${agent.token}:call-${count}`;
  // One transaction, because calls of one turn run concurrently and share the limit.
  const queued = await store.transaction(async (tables) => {
    const settings = context.settingsOf(agent.repositoryId);
    const refused = await output.refusal({ tables, settings, agent: current, effect });
    // A tool's output belongs to this period, whatever its kind.
    const row = { ...agentEffect(current, effect, key, clock.now()), token: agent.token };
    return refused ?? (await tables.effects.add([row]))[0];
  });
  if (typeof queued === "string") return toolRefusal(queued);
  if (queued === undefined) return toolRefusal("The output could not be queued. Try again.");
  await settled(queued, OUTPUT_WAIT_MS);
  return answerTo(await store.effects.get(queued), output.done);
}

function answerTo(row: EffectRow | undefined, done: Output<Effect>["done"]): ToolAnswer {
  if (row === undefined) return toolRefusal("The output is lost. Try again.");
  const result: Readonly<Record<string, unknown>> =
    typeof row.result === "object" && row.result !== null ? { ...row.result } : {};
  const withheldAt = LEVELS.find((level) => level === result["withheld"]) ?? null;
  switch (row.state) {
    case "done":
      return { ok: true, text: done(result, withheldAt) };
    case "failed":
      return toolRefusal(`It failed: ${row.error ?? "no reason is known"}`);
    case "skipped":
      if (withheldAt === null) return toolRefusal("Your period is over; nothing was done.");
      return {
        ok: true,
        text: `Not done: the level here is ${withheldAt}, which lets this out to nobody. What you gave is kept; continue as if it stood, and use report_complete when the work is done.`,
      };
    case "pending":
    case "leased":
      return {
        ok: true,
        text: "It is queued and will be done as soon as possible; continue without waiting for it.",
      };
  }
}

import { z } from "zod";
import { GitHubError } from "../core/errors.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Intent } from "../core/ports/tool-host.ts";
import type { IntentRow } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";
import { repositoryOf } from "./repository-of.ts";
import { circleOf } from "./surroundings.ts";

const intent = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("report_blocked"), blocker: z.int(), reason: z.string() }),
  z.strictObject({ kind: z.literal("report_complete"), summary: z.string() }),
  z.strictObject({
    kind: z.literal("escalate_to_human"),
    reason: z.string(),
    category: z.string(),
    question: z.string().nullable(),
  }),
]);

export interface BlockerLook {
  readonly found: "open" | "closed" | "missing";
  readonly cycle: readonly number[] | null;
}

/** A recorded intent with what its guard needs from outside, looked up now. */
export interface Looked {
  readonly row: IntentRow | null;
  readonly intent: Intent | null;
  readonly blocker: BlockerLook | null;
}

export async function lookAtIntent(context: EngineContext, agent: AgentRecord): Promise<Looked> {
  const row = await context.store.intents.recorded(agent.id);
  if (row === undefined) return { row: null, intent: null, blocker: null };
  const parsed = intent.parse(row.payload);
  const blocker =
    parsed.kind === "report_blocked" ? await lookAtBlocker(context, agent, parsed.blocker) : null;
  return { row, intent: parsed, blocker };
}

/** What GitHub says of the blocker, and whether waiting for it would close a circle of sleepers. */
export async function lookAtBlocker(
  context: EngineContext,
  agent: AgentRecord,
  blocker: number,
): Promise<BlockerLook> {
  const cycle = await circleOf(context.store, agent, blocker);
  try {
    const issue = await context.github.issue(await repositoryOf(context, agent.repositoryId), blocker);
    return { found: issue.state, cycle };
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return { found: "missing", cycle };
    throw error;
  }
}

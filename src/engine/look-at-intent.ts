import { z } from "zod";
import { GitHubError } from "../core/errors.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Intent } from "../core/ports/tool-host.ts";
import type { IntentRow, RepositoryRow } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";
import { repositoryOf } from "./repository-of.ts";
import { isPartOf, mergedCircle, waitSources } from "./waits-graph.ts";

const intent = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("report_blocked"), blocker: z.int(), reason: z.string() }),
  z.strictObject({ kind: z.literal("report_complete"), summary: z.string() }),
  z.strictObject({
    kind: z.literal("escalate_to_human"),
    reason: z.string(),
    category: z.string(),
    question: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal("ask_human"),
    question: z.string(),
    options: z.array(z.strictObject({ name: z.string(), destructive: z.boolean() })),
    recommended: z.string().nullable(),
    defaultOption: z.string().nullable(),
    deadlineMs: z.int(),
    askedOf: z.array(z.string()),
  }),
]);

export interface BlockerLook {
  readonly found: "open" | "closed" | "missing" | "part";
  readonly cycle: readonly string[] | null;
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

/** What GitHub says of the blocker, and whether waiting for it would close a circle. Throws `GitHubError`. */
export async function lookAtBlocker(
  context: EngineContext,
  agent: AgentRecord,
  blocker: number,
): Promise<BlockerLook> {
  const home = await repositoryOf(context, agent.repositoryId);
  const found = await stateOf(context, home, blocker);
  if (found !== "open" || blocker === agent.issue) return { found, cycle: null };
  const sources = waitSources(context);
  if (await isPartOf(sources, home, agent.issue, blocker)) return { found: "part", cycle: null };
  return { found, cycle: await mergedCircle(sources, home, agent, blocker) };
}

async function stateOf(
  context: EngineContext,
  home: RepositoryRow,
  issue: number,
): Promise<"open" | "closed" | "missing"> {
  try {
    return (await context.github.issue(home, issue)).state;
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return "missing";
    throw error;
  }
}

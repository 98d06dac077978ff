import { z } from "zod";
import type { Elsewhere, Replanner } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import type { IntentRow, RepositoryRow } from "../../domain/kernel/rows.ts";
import { NO_REPLANNER } from "../../domain/planning/replanning.ts";
import type { Intent, IssueBlock } from "../../domain/sessions/intent.ts";
import { allowsRepository } from "../../domain/settings/settings.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { replannerFor } from "../planning/replanners.ts";
import { isPartOf, mergedCircle, waitSources } from "./waits-graph.ts";

/** Codes that mean that the issue is not visible to us. */
const UNSEEN: readonly GitHubError["code"][] = ["not_found", "forbidden"];

const kinds = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("report_blocked"),
    blocker: z.int(),
    repository: z.string().exactOptional(),
    reason: z.string(),
  }),
  z.strictObject({ kind: z.literal("report_complete"), summary: z.string() }),
  z.strictObject({ kind: z.literal("request_review"), summary: z.string() }),
  z.strictObject({
    kind: z.literal("submit_verdict"),
    commit: z.string(),
    verdict: z.enum(["approve", "reject"]),
    body: z.string(),
    comments: z.array(
      z.strictObject({
        path: z.string(),
        line: z.int().nullable(),
        body: z.string(),
        inline: z.boolean(),
      }),
    ),
    evidence: z.array(z.string()),
  }),
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

const intent = z.union([
  kinds,
  z.strictObject({
    kind: z.literal("report_blocked"),
    cause: z.literal("replanning"),
    reason: z.string(),
  }),
]);

export interface BlockerCheck {
  readonly found: "open" | "closed" | "missing" | "part";
  readonly cycle: readonly string[] | null;
  /** Where the blocker is, when that is another repository. */
  readonly elsewhere?: Elsewhere;
}

/** A recorded intent with the facts that its guard needs from outside, read now. */
export interface CheckedIntent {
  readonly row: IntentRow | null;
  readonly intent: Intent | null;
  readonly blocker: BlockerCheck | null;
  /** Whether the task can be replanned and by which role, for a task that needs it. */
  readonly replanner: Replanner;
}

export async function checkBlockReport(context: EngineContext, agent: AgentRecord): Promise<CheckedIntent> {
  const row = await context.store.intents.recorded(agent.id);
  const nothing = { blocker: null, replanner: NO_REPLANNER };
  if (row === undefined) return { row: null, intent: null, ...nothing };
  const parsed = readIntent(row);
  const checked = { ...nothing, row, intent: parsed };
  if (parsed.kind !== "report_blocked") return checked;
  if ("cause" in parsed) return { ...checked, replanner: await replannerFor(context, agent) };
  return { ...checked, blocker: await checkBlocker(context, agent, parsed) };
}

export function readIntent({ payload }: Pick<IntentRow, "payload">): Intent {
  return intent.parse(payload);
}

/** Reads the blocker from GitHub, and whether waiting for it would close a circle. Throws `GitHubError`. */
export async function checkBlocker(
  context: EngineContext,
  agent: AgentRecord,
  { blocker, repository: name }: Pick<IssueBlock, "blocker" | "repository">,
): Promise<BlockerCheck> {
  const home = await repositoryOf(context, agent.repositoryId);
  const where = name === undefined ? home : await readable(context, name);
  if (where === undefined) return { found: "missing", cycle: null };
  const there =
    where.id === home.id ? {} : { elsewhere: { repositoryId: where.id, repository: fullName(where) } };
  const found = await stateOf(context, where, blocker);
  const own = where.id === home.id && blocker === agent.issue;
  if (found !== "open" || own) return { found, cycle: null, ...there };
  const sources = waitSources(context);
  if (await isPartOf(sources, home, agent.issue, blocker, where))
    return { found: "part", cycle: null, ...there };
  return { found, cycle: await mergedCircle(sources, home, agent, blocker, where), ...there };
}

/** Returns the repository of that full name where Flotilla works there too; otherwise undefined. */
async function readable(context: EngineContext, name: string): Promise<RepositoryRow | undefined> {
  const parts = parseFullName(name);
  if (parts === undefined || !allowsRepository(context.settings, name)) return undefined;
  return context.store.repositories.byName(parts.owner, parts.name);
}

async function stateOf(
  context: EngineContext,
  home: RepositoryRow,
  issue: number,
): Promise<"open" | "closed" | "missing"> {
  try {
    return (await context.github.issue(home, issue)).state;
  } catch (error) {
    if (error instanceof GitHubError && UNSEEN.includes(error.code)) return "missing";
    throw error;
  }
}

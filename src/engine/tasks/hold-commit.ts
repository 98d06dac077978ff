import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { PendingWork } from "../../domain/ports/agent-tables.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import { type ApprovalRow, canonicalCall, SHORT_HASH } from "../../domain/questions/approval.ts";
import { heldText, heldWork, MOST_BYTES } from "../../domain/tasks/held-work.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { appendAskedEvent, clean } from "../kernel/run-events.ts";
import type { ToolCheck } from "../sessions/tool-check.ts";

/**
 * The result for the next commit: its tree, or, where it is held, the note for the agent and the question to
 * a person.
 */
export type CheckedCommit =
  | { readonly held: false; readonly tree: string; readonly leftOut: readonly string[] }
  | { readonly held: true; readonly told: string; readonly ask: (tables: Tables) => Promise<void> };

/**
 * Checks the next commit before it is made: what a person must see first is neither committed nor pushed
 * before one has approved exactly this tree. A changed tree needs another approval.
 */
export async function holdCommit(
  context: EngineContext,
  agent: AgentRecord,
  ref: WorktreeRef,
): Promise<CheckedCommit> {
  const work = await context.worktrees.pending(ref, MOST_BYTES);
  const held = heldWork(work, context.settingsOf(agent.repositoryId).policy.protectedPaths, context.redact);
  const free = { held: false, tree: work.tree, leftOut: work.leftOut } as const;
  if (held.reasons.length === 0) return free;
  const hash = hashOf(context, work);
  const before = await context.store.approvals.latest(agent.id, hash);
  if (before?.state === "granted") return free;
  const { text: lines, isWhole } = heldText(held);
  if (!isWhole)
    return {
      held: true,
      told: `A person must approve this commit first, and it holds more than one can be shown at once. Commit it in smaller parts, or take back what it concerns:\n${lines}`,
      ask: () => Promise.resolve(),
    };
  if (before?.state === "denied")
    return {
      held: true,
      told: `A person said no to exactly these changes: ${before.reason}. Take back what they concern:\n${lines}`,
      ask: () => Promise.resolve(),
    };
  context.crashPoint("commit:held");
  return {
    held: true,
    told: `a person is asked first. Stop here; you are woken with the answer. After a yes \`commit\` commits exactly what is there now:\n${lines}`,
    ask: (tables) => ask(context, tables, agent, { hash, lines }),
  };
}

/**
 * Returns the tree of the work if a checkpoint of it may leave the host: it has no secret, or a person approved it
 * unchanged. Null if it may not.
 */
export async function leavingTree(
  context: EngineContext,
  agent: AgentRecord,
  ref: WorktreeRef,
): Promise<string | null> {
  const work = await context.worktrees.pending(ref, MOST_BYTES);
  const isFree =
    heldWork(work, [], context.redact).mayLeave ||
    (await context.store.approvals.latest(agent.id, hashOf(context, work)))?.state === "granted";
  return isFree ? work.tree : null;
}

/** Refuses all calls while a person decides about a commit, so that the approved tree stays unchanged. */
export function heldCommitCheck({ store }: EngineContext, agent: AgentRecord): ToolCheck {
  return async () => {
    const asked = await store.approvals.asked(agent.id, agent.token);
    return asked.some(({ kind }) => kind === "held_commit")
      ? {
          allow: false,
          reason: "Your commit waits for a person. Nothing runs until then; you are woken with the answer.",
          endExchange: true,
        }
      : { allow: true };
  };
}

/** Returns the protected paths that a person has allowed this agent to change. */
export function allowedPaths(granted: readonly Pick<ApprovalRow, "input">[]): ReadonlySet<string> {
  const named = granted.flatMap(({ input }) => [
    ...input.matchAll(/^("(?:[^"\\]|\\.)*"): a protected path$/gm),
  ]);
  return new Set(named.map(([, path = '""']) => String(JSON.parse(path))));
}

/** Returns the hash of everything that would be pushed. */
function hashOf({ digest }: EngineContext, { tree, patch }: PendingWork): string {
  return digest(canonicalCall({ toolName: "commit", args: { tree, patch: digest(patch) } }));
}

async function ask(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
  { hash, lines }: { readonly hash: string; readonly lines: string },
): Promise<void> {
  const { id: agentId, token } = agent;
  const call = {
    kind: "held_commit",
    detail: "commit",
    tool: "commit",
    input: clean(context, lines),
    hash,
  } as const;
  if (await tables.approvals.ask({ ...call, agentId, token, createdAt: context.clock.now() }))
    await appendAskedEvent(context, tables, agent, {
      kind: "held_commit",
      subject: `commit ${hash.slice(0, SHORT_HASH)}`,
    });
}

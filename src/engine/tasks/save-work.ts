import { Withheld } from "../../domain/access/level.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { GitError, messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import { type CheckpointRow, HELD, notSent, tellsOfFailure } from "../../domain/tasks/checkpoint.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { recordDecision } from "../kernel/record-decision.ts";
import { leavingTree } from "./hold-commit.ts";

/** `moved`: the agent changed its files meanwhile, so nothing was saved. */
export type Saved = { readonly commit: string | null } | "held" | "moved";

/**
 * Saves the agent's work as a checkpoint on this machine, unless the work is held back: every agent of the repository
 * could read the checkpoint. Of an agent that is `atWork`, only what was examined is saved. The database names the
 * checkpoint before the server can have it, because no other is believed later.
 */
export async function saveWork(
  context: EngineContext,
  agent: AgentRecord,
  { ref, atWork }: { readonly ref: WorktreeRef; readonly atWork: boolean },
): Promise<Saved> {
  const tree = await leavingTree(context, agent, ref);
  if (tree === null) {
    context.log.info({ agent: agent.name }, "checkpoint not made: no person has approved the work");
    await noteCheckpoint(context, agent, () => ({ fault: HELD }));
    return "held";
  }
  const made = await context.worktrees
    .checkpoint(ref, { push: false, ...(atWork ? { tree } : {}) })
    .catch(movedOn);
  if (made === "moved") return made;
  const madeAt = context.clock.now();
  if (made !== null)
    await noteCheckpoint(context, agent, (row) =>
      row.commit === made.commit && row.fault !== HELD
        ? null
        : { commit: made.commit, madeAt, ...(row.fault === HELD ? { fault: null } : {}) },
    );
  return { commit: made?.commit ?? null };
}

/** Returns "moved" where the files changed while they were looked at; rethrows other errors. */
function movedOn(error: unknown): "moved" {
  if (error instanceof GitError && error.code === "tree_moved") return "moved";
  throw error;
}

/**
 * Pushes a checkpoint to the server, if the level of `context.worktrees` allows it. Never throws. Tells people when the
 * server first refuses one, and again only if it has accepted one since. `failures`: pushes in a row that have failed before
 * this one. Returns false if the push has to be tried again.
 */
export async function sendCheckpoint(
  context: EngineContext,
  agent: AgentRecord,
  {
    ref,
    commit,
    failures,
  }: { readonly ref: WorktreeRef; readonly commit: string; readonly failures: number },
): Promise<boolean> {
  try {
    await context.worktrees.pushCheckpoint(ref, commit);
    await noteCheckpoint(context, agent, (row) => ({
      pushed: commit,
      pushedMadeAt: row.commit === commit ? row.madeAt : context.clock.now(),
      fault: row.fault === HELD ? HELD : null,
    }));
    return true;
  } catch (error) {
    const why = context.redact(messageOf(error));
    if (error instanceof Withheld) {
      await noteCheckpoint(context, agent, () => ({ fault: why }));
      return true;
    }
    context.log.info({ agent: agent.name, error: why }, "checkpoint not pushed");
    const consequence = error instanceof OutsideError ? error.consequence : "retry";
    if (tellsOfFailure(consequence, failures + 1)) await tellOnce(context, agent, why);
    return false;
  }
}

async function tellOnce(context: EngineContext, agent: AgentRecord, why: string): Promise<void> {
  await noteCheckpoint(
    context,
    agent,
    ({ fault }) => (fault === null || fault === HELD ? { fault: why } : null),
    async (tables) => {
      const { id: agentId, repositoryId, issue } = agent;
      const at = context.clock.now();
      const decision = {
        rule: "checkpoint_refused",
        reason: notSent(agent.name, why),
        inputs: null,
      } as const;
      const about = { agentId, repositoryId, issue, at, change: null, delivery: null };
      await recordDecision(tables, { ...decision, ...about }, true);
    },
  );
}

/**
 * Changes what is known of the agent's checkpoints, unless a later period has written it. `change` returns null where
 * nothing changes; else `also` is written in the same transaction.
 */
async function noteCheckpoint(
  { store }: EngineContext,
  { id: agentId, token }: AgentRecord,
  change: (row: CheckpointRow) => Partial<CheckpointRow> | null,
  also: (tables: Tables) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await store.transaction(async (tables) => {
    const before = (await tables.checkpoints.get(agentId)) ?? noneYet(agentId);
    if (before.token > token) return;
    const changed = change(before);
    if (changed === null) return;
    await tables.checkpoints.put({ ...before, ...changed, token });
    await also(tables);
  });
}

function noneYet(agentId: number): CheckpointRow {
  return { agentId, token: 0, commit: null, madeAt: null, pushed: null, pushedMadeAt: null, fault: null };
}

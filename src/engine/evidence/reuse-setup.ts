import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import {
  MOST_REUSE_FILES,
  notKept,
  notKeptText,
  REUSE_FILES,
  reusedText,
  reuseFacts,
} from "../../domain/evidence/reuse.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import type { KeptSetup, MadeSetup } from "../../domain/ports/kept-setups.ts";
import type { WorktreePrepared, WorktreeRef } from "../../domain/ports/worktrees.ts";
import { baseOf } from "../kernel/base-of.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { setupDigest } from "./setup-digest.ts";

const MOST_TEXT = 500;

/** The claim whose checkout is prepared. */
interface Claimed {
  readonly intentId: number;
  readonly ref: WorktreeRef;
  readonly commit: string;
}

/**
 * Fills a worktree that was just made with what setup commands made for its commit in an earlier one, where the settings
 * reuse it: the commands then count as done. No process of the agent may run. A worktree whose files are not those of its
 * commit is left to the commands.
 */
export async function reuseInWorktree(
  context: EngineContext,
  agent: AgentRecord,
  ref: WorktreeRef,
  { origin, checkpoint, takenUp, head }: WorktreePrepared,
): Promise<void> {
  if (origin === "existing" || checkpoint !== null || takenUp !== undefined) return;
  const digest = () => setupDigest(context, ref, context.settingsOf(agent.repositoryId).setup);
  await reuse(context, agent, { ref, commit: head, intentId: null, into: "worktree", digest });
}

/** Fills a clean checkout in the same way; returns whether the setup commands are done with that. */
export function reuseInCheckout(
  context: EngineContext,
  agent: AgentRecord,
  { ref, commit, intentId }: Claimed,
): Promise<boolean> {
  return reuse(context, agent, { ref, commit, intentId, into: "checkout", digest: async () => null });
}

async function reuse(
  context: EngineContext,
  agent: AgentRecord,
  place: {
    readonly ref: WorktreeRef;
    readonly commit: string;
    readonly intentId: number | null;
    readonly into: "worktree" | "checkout";
    readonly digest: () => Promise<string | null>;
  },
): Promise<boolean> {
  const { store, clock } = context;
  const { commit, into, intentId } = place;
  const began = clock.now();
  const kept = await restoreMade(context, agent, place);
  const runId = (await runOf(store, agent.id))?.id;
  if (kept === null || runId === undefined) return false;
  const digest = await place.digest();
  const { setup } = context.settingsOf(agent.repositoryId);
  for (const [at, command] of setup.commands.entries())
    await store.evidence.add({
      agentId: agent.id,
      runId,
      intentId,
      kind: "setup",
      commit: into === "checkout" ? commit : null,
      command,
      holds: true,
      exitCode: null,
      timedOut: false,
      output: reusedText(setup.reuse, kept),
      durationMs: at === 0 ? clock.now() - began : 0,
      digest,
      missing: null,
      confidence: null,
      createdAt: clock.now(),
    });
  return true;
}

/** Fills a worktree or checkout, if something is kept for its commit. Returns where that was made; else null. */
export function restoreMade(
  context: EngineContext,
  agent: AgentRecord,
  { ref, commit, into }: Omit<Claimed, "intentId"> & { readonly into: "worktree" | "checkout" },
): Promise<KeptSetup | null> {
  return orNothing(context, agent, async () => {
    const wanted = await madeFor(context, agent, ref, commit);
    return wanted && context.worktrees.restoreSetup(ref, { ...wanted, into, at: context.clock.now() });
  });
}

/**
 * Keeps what the setup commands have just made in the agent's worktree for later ones, where the settings reuse it.
 * Returns why not, as a line for people; null where there is nothing to say.
 */
export async function keepForReuse(
  context: EngineContext,
  agent: AgentRecord,
  ref: WorktreeRef,
): Promise<string | null> {
  const settings = context.settingsOf(agent.repositoryId);
  const { reuse: directories } = settings.setup;
  if (directories.length === 0) return null;
  const repository = await repositoryOf(context, agent.repositoryId);
  const base = await baseOf(context.store, repository, agent.issue);
  const trusted = [repository.defaultBranch, ...(settings.base === null ? [] : [settings.base])];
  const why = await orNothing(context, agent, async () => {
    const fault = notKept(agent, { status: await context.worktrees.status(ref), base, trusted });
    return fault ?? (await keep(context, agent, ref));
  });
  return why === null ? null : cleanText(notKeptText(directories, why), context.redact, MOST_TEXT);
}

async function keep(context: EngineContext, agent: AgentRecord, ref: WorktreeRef): Promise<string | null> {
  const { worktrees, clock, disk, settings } = context;
  const commit = agent.baseCommit ?? "";
  const { reuse: directories } = context.settingsOf(agent.repositoryId).setup;
  const patterns = directories.flatMap((path) => [path, `${path}/**`]);
  const [tracked] = await worktrees.filesAt(ref.repository, commit, { patterns, most: 1 });
  if (tracked !== undefined) return `git follows files there, such as ${JSON.stringify(tracked.path)}`;
  const made = await madeFor(context, agent, ref, commit);
  if (made === null) return `the commit has more than ${MOST_REUSE_FILES} lock files and manifests`;
  const room = (await disk.space()).freeBytes - settings.disk.minFreeBytes;
  return worktrees.keepSetup(ref, { ...made, commit, at: clock.now(), room });
}

/** Returns what the setup commands make for a commit, here and now; null where it is not reused. */
async function madeFor(
  context: EngineContext,
  agent: AgentRecord,
  { repository }: WorktreeRef,
  commit: string,
): Promise<MadeSetup | null> {
  const settings = context.settingsOf(agent.repositoryId);
  const { commands, reuse: named } = settings.setup;
  // The key does not change with the order of names, and what is kept stands in this one.
  const directories = named.toSorted();
  if (commands.length === 0 || directories.length === 0) return null;
  const files = await context.worktrees.filesAt(repository, commit, {
    patterns: REUSE_FILES,
    most: MOST_REUSE_FILES,
  });
  if (files.length >= MOST_REUSE_FILES) return null;
  const facts = reuseFacts(files, settings, await context.programsFound(context.commandEnv));
  return { key: context.digest(JSON.stringify(facts)), directories };
}

/** The commands do the same, so what fails outside of the code only takes longer. */
async function orNothing<T>(
  context: EngineContext,
  agent: AgentRecord,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    context.log.warn({ agent: agent.name, error: error.message }, "setup not reused");
    return null;
  }
}

import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { appliesToAll, readApplyTo } from "../../domain/instructions/apply-to.ts";
import {
  type GivenFile,
  leftOut,
  MOST_BYTES,
  type Shown,
  shownOf,
  unread,
} from "../../domain/instructions/given-file.ts";
import {
  INSTRUCTION_PATTERNS,
  type InstructionFiles,
  instructionFiles,
  MOST_FILES,
  MOST_SCOPED,
} from "../../domain/instructions/instruction-files.ts";
import { GitError, messageOf } from "../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../domain/kernel/repository.ts";
import type { TreeFile } from "../../domain/ports/worktrees.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";

/** The instructions of a repository as an agent has them. */
export interface RepositoryInstructions {
  readonly repository: RepositoryRef;
  /** For every agent, in the system prompt. */
  readonly forAll: readonly Shown[];
  /** For some paths; each is shown when one of them is touched. */
  readonly scoped: readonly { readonly file: TreeFile; readonly patterns: readonly string[] }[];
  readonly nested: InstructionFiles["nested"];
}

/**
 * Reads what the repository tells agents, at the commit that the agent's work is based on; no branch can change that.
 * Null where the repository has nothing, or does not want it read. Without git's answer the agent works without.
 */
export async function readInstructions(
  context: EngineContext,
  { repositoryId, baseCommit, name }: AgentRecord,
): Promise<RepositoryInstructions | null> {
  if (baseCommit === null || !context.settingsOf(repositoryId).instructions) return null;
  try {
    const repository = await repositoryOf(context, repositoryId);
    const files = await context.worktrees.filesAt(repository, baseCommit, {
      patterns: INSTRUCTION_PATTERNS,
      most: MOST_FILES,
    });
    return files.length === 0 ? null : await read(context, repository, instructionFiles(files));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    context.log.warn({ error: messageOf(error), agent: name }, "repository's instructions not read");
    return null;
  }
}

async function read(
  context: EngineContext,
  repository: RepositoryRef,
  { forAll, scoped, nested }: InstructionFiles,
): Promise<RepositoryInstructions> {
  const shown: Shown[] = [];
  const given = () => shown.map((one) => one.given);
  for (const file of forAll) shown.push(await readFile(context, repository, file, given()));
  const later: RepositoryInstructions["scoped"][number][] = [];
  for (const [index, file] of scoped.entries()) {
    if (index >= MOST_SCOPED) {
      shown.push(leftOut(file, `is left out: only ${MOST_SCOPED} such files are read`));
      break;
    }
    const applyTo =
      file.kind === "file"
        ? readApplyTo(
            context.frontMatter(await context.worktrees.blob(repository, file.blob, MOST_BYTES)).data,
          )
        : { patterns: ["**"] };
    if ("fault" in applyTo) shown.push(leftOut(file, applyTo.fault));
    else if (appliesToAll(applyTo.patterns)) shown.push(await readFile(context, repository, file, given()));
    else later.push({ file, patterns: applyTo.patterns });
  }
  return { repository, forAll: shown, scoped: later, nested };
}

/** Returns as much of the file as fits beside what was shown before. */
export async function readFile(
  { worktrees, frontMatter }: EngineContext,
  repository: RepositoryRef,
  file: TreeFile,
  before: readonly GivenFile[],
): Promise<Shown> {
  const why = unread(file, before);
  if (why !== null) return leftOut(file, why);
  const text = await worktrees.blob(repository, file.blob, MOST_BYTES);
  return shownOf(file, frontMatter(text).body, before);
}

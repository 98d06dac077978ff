import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type ApplyTo, appliesToAll, readApplyTo } from "../../domain/instructions/apply-to.ts";
import {
  type GivenFile,
  leftOut,
  MOST_BYTES,
  notThere,
  type Shown,
  shownOf,
  unread,
} from "../../domain/instructions/given-file.ts";
import {
  INSTRUCTION_PATTERNS,
  type InstructionFiles,
  instructionFiles,
  listedFiles,
  MOST_FILES,
  MOST_SCOPED,
} from "../../domain/instructions/instruction-files.ts";
import {
  MOST_TEMPLATE_BYTES,
  shownTemplate,
  TEMPLATE_PATTERNS,
  templateAmong,
  unusedTemplate,
} from "../../domain/instructions/pull-template.ts";
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
  /** Of pull requests; null where there is none, or the agent opens none. */
  readonly template: Shown | null;
}

/**
 * Reads what the repository tells agents, at the commit that the agent's work is based on; no branch can change that.
 * Null where there is nothing. `template` adds that of pull requests, which `instructions: off` does not switch off.
 */
export function readInstructions(
  context: EngineContext,
  agent: AgentRecord,
  { template }: { readonly template: boolean },
): Promise<RepositoryInstructions | null> {
  const listed = context.settingsOf(agent.repositoryId).instructions;
  const usual = listed === true ? INSTRUCTION_PATTERNS : [];
  const wanted = typeof listed === "boolean" ? usual : listed;
  const patterns = [...wanted, ...(template ? TEMPLATE_PATTERNS : [])];
  return reading(context, agent, patterns, async (repository, files) => {
    if (files.length === 0 && typeof listed === "boolean") return null;
    const found = await templateIn(context, repository, files);
    const { forAll, scoped, nested } = instructionFiles(typeof listed === "boolean" ? files : []);
    const { always, later } = await sorted(context, repository, { forAll, scoped });
    const own = typeof listed === "boolean" ? always : await ownList(context, repository, files, listed);
    return { repository, forAll: own, scoped: later, nested, template: found };
  });
}

/** Reads the files that the repository lists in place of the usual ones. */
async function ownList(
  context: EngineContext,
  repository: RepositoryRef,
  files: readonly TreeFile[],
  paths: readonly string[],
): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  for (const { path, file } of listedFiles(files, paths)) {
    const before = shown.map(({ given }) => given);
    shown.push(file === null ? notThere(path) : await readFile(context, repository, file, before));
  }
  return shown;
}

/** Reads the template of pull requests at the commit that the agent's work is based on; null where there is none. */
export function readTemplate(context: EngineContext, agent: AgentRecord): Promise<Shown | null> {
  return reading(context, agent, TEMPLATE_PATTERNS, (repository, files) =>
    templateIn(context, repository, files),
  );
}

/** Lists files of the base commit and reads them. Without git's answer the agent works without them. */
async function reading<T>(
  context: EngineContext,
  { repositoryId, baseCommit, name }: AgentRecord,
  patterns: readonly string[],
  read: (repository: RepositoryRef, files: readonly TreeFile[]) => Promise<T | null>,
): Promise<T | null> {
  if (baseCommit === null || patterns.length === 0) return null;
  try {
    const repository = await repositoryOf(context, repositoryId);
    const files = await context.worktrees.filesAt(repository, baseCommit, { patterns, most: MOST_FILES });
    return await read(repository, files);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    context.log.warn({ error: messageOf(error), agent: name }, "repository's instructions not read");
    return null;
  }
}

/** Sorts out what is for all paths, as it is shown, from what is for some. */
async function sorted(
  context: EngineContext,
  repository: RepositoryRef,
  { forAll, scoped }: Pick<InstructionFiles, "forAll" | "scoped">,
): Promise<{ readonly always: readonly Shown[]; readonly later: RepositoryInstructions["scoped"] }> {
  const always: Shown[] = [];
  const given = () => always.map((one) => one.given);
  for (const file of forAll) always.push(await readFile(context, repository, file, given()));
  const later: RepositoryInstructions["scoped"][number][] = [];
  for (const file of scoped.slice(0, MOST_SCOPED)) {
    const applyTo = await applyToOf(context, repository, file);
    if ("fault" in applyTo) always.push(leftOut(file, applyTo.fault));
    else if (appliesToAll(applyTo.patterns)) always.push(await readFile(context, repository, file, given()));
    else later.push({ file, patterns: applyTo.patterns });
  }
  const [tooMany] = scoped.slice(MOST_SCOPED);
  if (tooMany !== undefined)
    always.push(leftOut(tooMany, `is left out: only ${MOST_SCOPED} such files are read`));
  return { always, later };
}

async function applyToOf(
  { worktrees, frontMatter }: EngineContext,
  repository: RepositoryRef,
  file: TreeFile,
): Promise<ApplyTo> {
  if (file.kind !== "file") return { fault: `is a ${file.kind} and is not followed` };
  return readApplyTo(frontMatter(await worktrees.blob(repository, file.blob, MOST_BYTES)).data);
}

async function templateIn(
  { worktrees, redact }: EngineContext,
  repository: RepositoryRef,
  files: readonly TreeFile[],
): Promise<Shown | null> {
  const file = templateAmong(files);
  if (file === undefined) return null;
  const why = unusedTemplate(file);
  if (why !== null) return leftOut(file, why);
  return shownTemplate(file, await worktrees.blob(repository, file.blob, MOST_TEMPLATE_BYTES), redact);
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

import { agentKey } from "../../domain/agents/agent-key.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { protectedAmong } from "../../domain/evidence/protected-paths.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type Provenance, runName } from "../../domain/tasks/commit-message.ts";
import type { PullFactsShown } from "../../domain/tasks/pull-facts.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { EngineContext, StepContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";

/** Which run of which agent with which model makes something, in its present period. */
export async function provenanceOf(
  context: EngineContext,
  repository: RepositoryRow,
  agent: AgentRecord,
): Promise<Omit<Provenance, "signedOffBy">> {
  const run = await runOf(context.store, agent.id);
  return {
    agent: agentKey(fullName(repository), agent.name),
    runId: run?.id ?? 0,
    model: (await modelsOf(context, agent)).at(-1) ?? modelOfRole(context, agent),
  };
}

/**
 * Returns what the host knows of the work in an agent's pull request, of all who wrote it; `files` as GitHub lists
 * them, null before it is open.
 */
export async function pullFactsOf(
  context: EngineContext,
  repository: RepositoryRow,
  agent: AgentRecord,
  files: readonly string[] | null,
): Promise<PullFactsShown> {
  const { store, settings } = context;
  const authors = await authorsOf(store, agent);
  const latest = authors.at(-1) ?? agent;
  const provenance = await provenanceOf(context, repository, latest);
  const evidence = await Promise.all(authors.map(({ id }) => store.evidence.ofAgent(id)));
  const models = await Promise.all(authors.map((author) => modelsOf(context, author)));
  const used = [...new Set(models.flat())];
  return {
    issue: latest.issue,
    role: latest.role,
    commit: authors.findLast(({ headCommit }) => headCommit !== null)?.headCommit ?? null,
    files,
    protectedFiles: protectedAmong(files ?? [], settings.policy.protectedPaths),
    commands: evidence
      .flat()
      .flatMap(({ kind, command, exitCode, commit }) =>
        command !== null && (kind === "setup" || kind === "command") ? [{ command, exitCode, commit }] : [],
      ),
    costMicroUsd: sum(authors.map(({ costMicroUsd }) => costMicroUsd)),
    turns: sum(authors.map(({ turns }) => turns)),
    models: used.length === 0 ? [provenance.model] : used,
    run: runName(provenance),
  };
}

/** Returns the agents that work or worked on the branch of its pull request, in order of id; itself alone before that is open. */
async function authorsOf(
  { records }: Pick<Tables, "records">,
  agent: AgentRecord,
): Promise<readonly AgentRecord[]> {
  if (agent.prNumber === null) return [agent];
  const { repositoryId, prNumber } = agent;
  return (await records.find("agent", { repositoryId, prNumber })).filter(isAuthor);
}

/** A reviewer knows the number of the pull request too, and has no branch. */
const isAuthor = ({ branch }: Pick<AgentRecord, "branch">): boolean => branch !== null;

const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);

/** Of its conversations so far, each once, in order. */
async function modelsOf({ store }: EngineContext, agent: AgentRecord): Promise<readonly string[]> {
  const sessions = await store.records.find("session", { agentId: agent.id });
  return [...new Set(sessions.flatMap(({ model }) => model ?? []))];
}

function modelOfRole({ roleOf, settings }: EngineContext, agent: AgentRecord): string {
  return roleOf(agent)?.model ?? settings.runtime.model;
}

/** Renews the facts in an author's pull request when it stops: its commands were run and its cost has grown. */
export async function schedulePullRefresh({ tables, fact, moved }: StepContext): Promise<void> {
  for (const { machine, id, to, version } of moved) {
    if (machine !== "agent" || to === "ACTIVE" || to === "CREATED") continue;
    const agent = await tables.records.get("agent", id);
    if (agent !== undefined && isAuthor(agent)) await renewFacts(tables, agent, `v${version}`, fact.at);
  }
}

/** `cause` is another one for each renewal of the agent's. */
export async function renewFacts(
  tables: Tables,
  agent: AgentRecord,
  cause: string,
  at: number,
): Promise<void> {
  if (agent.prNumber === null) return;
  const key = `pull-facts-${agent.id}:${cause}`;
  await tables.effects.add([agentEffect(agent, { kind: "pull_facts" }, key, at)]);
}

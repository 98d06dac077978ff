import { agentKey } from "../../domain/agents/agent-key.ts";
import { agentPage } from "../../domain/agents/agent-page.ts";
import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import type { Missing } from "../../domain/evidence/missing.ts";
import { protectedFiles } from "../../domain/evidence/protected-paths.ts";
import { type GivenFile, latestOfEach } from "../../domain/instructions/given-file.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { eachOnce, type ShownPicture } from "../../domain/pictures/shown-picture.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { modelWritten } from "../../domain/settings/runtime-use.ts";
import { type Provenance, runName } from "../../domain/tasks/commit-message.ts";
import type { PullFactsShown } from "../../domain/tasks/pull-facts.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { EngineContext, StepContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { askerOf } from "./co-author-of.ts";

/** Returns the run, agent and model of the agent's current period. */
export async function provenanceOf(
  context: EngineContext,
  repository: RepositoryRow,
  agent: AgentRecord,
): Promise<Omit<Provenance, "signedOffBy" | "coAuthoredBy">> {
  const run = await runOf(context.store, agent.id);
  return {
    agent: agentKey(fullName(repository), agent.name),
    runId: run?.id ?? 0,
    model: (await modelsOf(context, agent)).at(-1) ?? modelWritten(context.useOf(agent).models[0]),
  };
}

/**
 * Returns the host's facts about the work in an agent's pull request, of all its authors; `files` come from
 * GitHub, and from git before it is open.
 */
export async function pullFactsOf(
  context: EngineContext,
  repository: RepositoryRow,
  agent: AgentRecord,
  files: readonly string[] | null,
): Promise<PullFactsShown> {
  const { store, settingsOf } = context;
  const { issue, repositoryId } = agent;
  const tasks = await store.records.find("task", { repositoryId, issue });
  const authors = await authorsOf(store, agent);
  const latest = authors.at(-1) ?? agent;
  const provenance = await provenanceOf(context, repository, latest);
  const evidence = await Promise.all(authors.map(({ id }) => store.evidence.ofAgent(id)));
  const screens = await Promise.all(authors.map(({ id }) => store.screens.ofAgent(id)));
  const models = await Promise.all(authors.map((author) => modelsOf(context, author)));
  const used = [...new Set(models.flat())];
  const runtimes = await Promise.all(authors.map((author) => runtimesOf(context, author)));
  const commit = authors.findLast(({ headCommit }) => headCommit !== null)?.headCommit ?? null;
  const row = evidence
    .flat()
    .findLast((one) => one.commit === commit && one.missing?.kind === "tests_weakened");
  return {
    issue: latest.issue,
    askedBy: await askerOnGitHub(context, authors[0] ?? agent),
    base: tasks.at(-1)?.base ?? null,
    role: latest.role,
    commit,
    files,
    protectedFiles: protectedFiles(files ?? [], settingsOf(agent.repositoryId).policy.protectedPaths),
    instructions: latestOfEach(
      (await Promise.all(authors.map((author) => instructionsOf(context, author)))).flat(),
    ),
    repository: fullName(repository),
    pictures: eachOnce((await Promise.all(authors.map((author) => picturesOf(context, author)))).flat()),
    tests: row?.missing?.kind === "tests_weakened" ? await testsShown(store, row.agentId, row.missing) : null,
    commands: evidence
      .flat()
      .flatMap(({ kind, command, exitCode, holds, commit: of }) =>
        command !== null && (kind === "setup" || kind === "command") && !(holds && exitCode === null)
          ? [{ command, exitCode, commit: of, isAcceptance: kind === "command" }]
          : [],
      ),
    isChecked: settingsOf(agent.repositoryId).evidence.commands.length > 0,
    screens: screens.flat().filter((one) => one.commit === commit),
    costMicroUsd: sum(authors.map(({ costMicroUsd }) => costMicroUsd)),
    turns: sum(authors.map(({ turns }) => turns)),
    runtimes: [...new Set(runtimes.flat())],
    models: used.length === 0 ? [provenance.model] : used,
    run: runName(provenance),
    page: agentPage(context.publicUrl, fullName(repository), latest.name),
  };
}

/** Returns the person who asked for the work, as its pull request names them; null for our own App. */
async function askerOnGitHub(
  { store, identity }: Pick<EngineContext, "store" | "identity">,
  agent: AgentRecord,
): Promise<string | null> {
  const login = await askerOf(store, agent);
  return login === identity.botLogin ? null : login;
}

type WeakenedTests = Extract<Missing, { kind: "tests_weakened" }>;

/** Returns what was found about the tests of a commit, with who approved it. */
async function testsShown(
  { approvals }: Pick<Tables, "approvals">,
  agentId: number,
  { summary, findings, hash }: WeakenedTests,
): Promise<PullFactsShown["tests"]> {
  const approval = await approvals.latest(agentId, hash);
  return { summary, findings, approvedBy: approval?.state === "granted" ? approval.decidedBy : null };
}

/**
 * Returns the agents that work or worked on the pull request's branch, by id; the agent alone before it is
 * open.
 */
async function authorsOf(
  { records }: Pick<Tables, "records">,
  agent: AgentRecord,
): Promise<readonly AgentRecord[]> {
  if (agent.prNumber === null) return [agent];
  const { repositoryId, prNumber } = agent;
  return (await records.find("agent", { repositoryId, prNumber })).filter(isAuthor);
}

/** Excludes reviewers: they know the number of the pull request too, but have no branch. */
const isAuthor = ({ branch }: Pick<AgentRecord, "branch">): boolean => branch !== null;

const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);

/** Returns the models of the agent's conversations, each once, in order. */
async function modelsOf({ store }: EngineContext, agent: AgentRecord): Promise<readonly string[]> {
  const sessions = await store.records.find("session", { agentId: agent.id });
  return [...new Set(sessions.flatMap(({ model }) => model ?? []))];
}

/** Returns the agent's runtime in each version that its conversations had, each once, in order. */
async function runtimesOf(
  { store }: EngineContext,
  { id, runtime }: AgentRecord,
): Promise<readonly string[]> {
  const sessions = await store.records.find("session", { agentId: id });
  const versions = sessions.flatMap(({ runtimeVersion }) => runtimeVersion ?? []);
  return versions.length === 0 ? [runtime] : versions.map((version) => `${runtime} ${version}`);
}

/** Returns the files of instructions in the agent's conversations, in order. */
async function instructionsOf({ store }: EngineContext, agent: AgentRecord): Promise<readonly GivenFile[]> {
  const sessions = await store.records.find("session", { agentId: agent.id });
  return sessions.flatMap(({ instructions }) => instructions);
}

/** Returns the pictures in the agent's conversations, in order. */
async function picturesOf({ store }: EngineContext, agent: AgentRecord): Promise<readonly ShownPicture[]> {
  const sessions = await store.records.find("session", { agentId: agent.id });
  return sessions.flatMap(({ pictures }) => pictures);
}

/** Adds the renewal of the facts when an author stops: its commands have run and its cost has grown. */
export async function schedulePullRefresh({ tables, request, moved }: StepContext): Promise<void> {
  for (const { machine, id, to, version } of moved) {
    if (machine !== "agent" || to === "ACTIVE" || to === "CREATED") continue;
    const agent = await tables.records.get("agent", id);
    if (agent !== undefined && isAuthor(agent)) await renewFacts(tables, agent, `v${version}`, request.at);
  }
}

/** `cause` must be unique for each renewal of the agent. */
export async function renewFacts(
  tables: Tables,
  agent: AgentRecord,
  cause: string,
  at: number,
): Promise<void> {
  // A person's own text is not ours to change.
  if (agent.prNumber === null || isOnPull(agent)) return;
  const key = `pull-facts-${agent.id}:${cause}`;
  await tables.effects.add([agentEffect(agent, { kind: "pull_facts" }, key, at)]);
}

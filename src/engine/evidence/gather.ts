import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { EvidenceFacts, PullFacts } from "../../domain/evidence/evidence.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GitHubPullRequest } from "../../domain/ports/github-changes.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { draftPartsOf } from "../planning/sub-issues.ts";
import { allowedPaths } from "../tasks/hold-commit.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";

const NO_WORK = { server: null, serverBehind: false, files: [] } as const;

/** Reads what a claim is judged by without running anything: from git, GitHub and the database. */
export async function gather(
  context: EngineContext,
  agent: AgentRecord,
  role: Role,
  claim: {
    readonly repository: RepositoryRow;
    /** The base branch. */
    readonly base: string;
    readonly commit: string | null;
    readonly summary: string;
    readonly keptHere: boolean;
  },
): Promise<EvidenceFacts> {
  const { repository, base, commit, summary, keptHere } = claim;
  const ref = await worktreeOf(context, agent);
  const status = ref === null ? null : await context.worktrees.status(ref);
  const work =
    ref === null || commit === null || role.evidence !== "code"
      ? NO_WORK
      : await context.worktrees.inspect(ref, { commit, base });
  const pull = agent.prNumber === null ? null : await context.github.pullRequest(repository, agent.prNumber);
  const outputs = await context.store.effects.find({ agentId: agent.id, state: "done" });
  return {
    kind: role.evidence,
    issue: agent.issue,
    uncommitted: status?.changed ?? [],
    changedFiles: work.files,
    allowedPaths: allowedPaths(await context.store.approvals.held(agent.id)),
    // On a person's pull request each commit was checked when it was made; the rest of the change is the person's.
    protectedPaths: isOnPull(agent) ? [] : context.settingsOf(agent.repositoryId).policy.protectedPaths,
    claimedCommit: commit,
    headCommit: status?.head ?? null,
    serverCommit: work.server,
    serverBehind: work.serverBehind,
    branch: agent.branch,
    base,
    keptHere,
    makesPull: role.tools.includes("open_pr"),
    pull: pull === null ? null : pullFacts(context, agent, { repository, pull }),
    verdict: (await context.store.verdicts.commitOf(agent.id)) ?? null,
    judgedHead: pull?.headSha ?? null,
    outputs: outputs.filter((row) => row.key.includes(":call-")).length,
    // Where a role has no such tool, people begin its parts.
    drafts: role.tools.includes("finalize_plan")
      ? (await draftPartsOf(context.store, agent)).map(({ issue }) => issue)
      : [],
    summary,
  };
}

function pullFacts(
  context: EngineContext,
  agent: AgentRecord,
  { repository, pull }: { readonly repository: RepositoryRow; readonly pull: GitHubPullRequest },
): PullFacts {
  const here = pull.headRepository === fullName(repository);
  return {
    number: pull.number,
    state: pull.state,
    merged: pull.merged,
    own: isOnPull(agent) || pull.author.id === context.identity.botId,
    author: pull.author.login,
    branch: here ? pull.headRef : `${pull.headRepository ?? "a deleted fork"}:${pull.headRef}`,
    base: pull.baseRef,
    namesIssue: isOnPull(agent) || new RegExp(`#${agent.issue}\\b`).test(pull.body),
  };
}

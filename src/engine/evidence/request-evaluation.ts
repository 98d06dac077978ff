import type { AgentRecord } from "../../core/machines/agent-record.ts";
import { evaluationRequest } from "../../core/text/evaluation.ts";
import type { EngineContext } from "../context.ts";
import { issueForModel } from "../issue-for-model.ts";
import { repositoryOf } from "../repository-of.ts";
import type { ClaimedCommit } from "./prove-commands.ts";

/** Of a change the evaluator is shown so much; the rest it reads in its directory. */
const PATCH_CHARACTERS = 60_000;

/** The message that asks about a claim: the issue as its coder was told of it, the coder's summary, the change. */
export async function requestEvaluation(
  context: EngineContext,
  agent: AgentRecord,
  claim: ClaimedCommit & { readonly summary: string },
): Promise<string> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const issue = await context.github.issue(repository, agent.issue);
  const base = agent.baseCommit ?? claim.commit;
  const { files, patch } = await context.worktrees.diff(claim.ref, base, PATCH_CHARACTERS);
  return evaluationRequest({
    issue: await issueForModel(context, repository, issue),
    commit: claim.commit,
    pull: agent.prNumber,
    summary: claim.summary,
    files,
    patch,
    cut: patch.length >= PATCH_CHARACTERS,
    threshold: context.settingsOf(agent.repositoryId).evidence.evaluatorThreshold,
  });
}

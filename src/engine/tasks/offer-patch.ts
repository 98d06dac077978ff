import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { offersPatch } from "../../domain/tasks/fix-pull.ts";
import { MOST_PATCH, patchOffer } from "../../domain/tasks/patch-offer.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { worktreeOf } from "./worktree-of.ts";

/** Reads what a coder offers to a person's pull request as a patch. Returns what adds the comment about it. */
export async function offerPatch(
  context: EngineContext,
  agent: AgentRecord,
): Promise<(tables: Tables) => Promise<void>> {
  const onto = agent.headCommit;
  const ref = await worktreeOf(context, agent);
  if (!offersPatch(agent, context.settingsOf(agent.repositoryId)) || onto === null || ref === null)
    return () => Promise.resolve();
  const { files, patch } = await context.worktrees.diff(ref, onto, MOST_PATCH + 1);
  const body = patchOffer({ role: agent.role, files, patch: context.redact(patch), onto });
  return async ({ effects }) => {
    if (body === null) return;
    const name = `${agent.name}-patch`;
    const effect = { kind: "post_comment", name, body } as const;
    await effects.add([agentEffect(agent, effect, `patch:${agent.id}`, context.clock.now())]);
  };
}

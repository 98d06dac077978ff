import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";

/**
 * Returns why an agent may not open the issue of this name, for the model, or null. An issue that was
 * requested before is not counted again.
 */
export async function refusedIssue(
  tables: Pick<Tables, "effects">,
  { policy, storm }: Pick<Settings, "policy" | "storm">,
  agent: AgentRecord,
  name: string,
): Promise<string | null> {
  const mine = await tables.effects.find({
    agentId: agent.id,
    kind: ["create_blocker_issue", "create_sub_issue"],
  });
  const names = new Set(mine.map(nameOf));
  const most = policy.maxOutputs.issues;
  if (!names.has(name) && names.size >= most)
    return `You have opened ${names.size} issues, and ${most} is the limit (policy.max_outputs.issues). Report what you are blocked by, or use escalate_to_human.`;
  const depth = await depthOf(tables, agent, storm.maxDepth);
  return depth >= storm.maxDepth
    ? `Your own issue was opened by an agent, ${depth} in a row, and ${storm.maxDepth} is the limit (storm.max_depth). Do it here, or use escalate_to_human.`
    : null;
}

const nameOf = ({ payload }: EffectRow) =>
  payload.kind === "create_blocker_issue" || payload.kind === "create_sub_issue" ? payload.name : "";

/**
 * Returns the number of agents in a row that have opened issues down to this one, at most `most`: 0 for an
 * issue that a person opened.
 */
async function depthOf(
  { effects }: Pick<Tables, "effects">,
  { repositoryId, issue }: AgentRecord,
  most: number,
): Promise<number> {
  let depth = 0;
  let above = await effects.openedFor(repositoryId, issue);
  while (above !== undefined && depth < most) {
    depth += 1;
    above = await effects.openedFor(repositoryId, above);
  }
  return depth;
}

import type { EffectOf } from "../core/effect.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Tables } from "../core/ports/store.ts";
import type { Output } from "../core/ports/tool-host.ts";
import type { EffectRow } from "../core/rows.ts";
import type { Settings } from "../core/settings.ts";
import { blockerIssueBody } from "../core/text/blocker-issue.ts";

type Wanted = Extract<Output, { kind: "create_blocker_issue" }>;

/** An agent opens one issue of a title, however often it asks and whatever interrupts it: the name is what it is found by. */
export function blockerIssueEffect(
  agent: AgentRecord,
  { title, body, labels }: Wanted,
  digest: (text: string) => string,
): EffectOf<"create_blocker_issue"> {
  return {
    kind: "create_blocker_issue",
    name: `${agent.name}-blocker-${digest(title).slice(0, 16)}`,
    title,
    body: blockerIssueBody(body, agent),
    labels: [...labels],
  };
}

/** Why the issue is not opened, for the model; null when it may be. One that was asked for before is not counted again. */
export async function refusedBlockerIssue(
  tables: Pick<Tables, "effects">,
  { policy, storm }: Pick<Settings, "policy" | "storm">,
  agent: AgentRecord,
  name: string,
): Promise<string | null> {
  const all = await tables.effects.find({ kind: ["create_blocker_issue", "create_sub_issue"] });
  const names = new Set(all.filter(({ agentId }) => agentId === agent.id).map(nameOf));
  const most = policy.maxOutputs.issues;
  if (!names.has(name) && names.size >= most)
    return `You have opened ${names.size} issues, and ${most} is the limit (policy.max_outputs.issues). Report what you are blocked by, or use escalate_to_human.`;
  const depth = depthOf(all, agent);
  return depth >= storm.maxDepth
    ? `Your own issue was opened by an agent, ${depth} in a row, and ${storm.maxDepth} is the limit (storm.max_depth). Do it here, or use escalate_to_human.`
    : null;
}

const nameOf = ({ payload }: EffectRow) =>
  payload.kind === "create_blocker_issue" || payload.kind === "create_sub_issue" ? payload.name : "";

/** How many agents in a row have opened issues down to this one: 0 for an issue that a person opened. */
function depthOf(all: readonly EffectRow[], { repositoryId, issue }: AgentRecord): number {
  const openedFor = new Map<number, number>();
  for (const row of all)
    if (row.repositoryId === repositoryId && isNumbered(row.result))
      openedFor.set(row.result.number, row.issue);
  // An issue is older than those that are opened for it, so this comes to an end.
  let depth = 0;
  for (let above = openedFor.get(issue); above !== undefined; above = openedFor.get(above)) depth += 1;
  return depth;
}

function isNumbered(result: unknown): result is { readonly number: number } {
  return (
    typeof result === "object" && result !== null && "number" in result && typeof result.number === "number"
  );
}

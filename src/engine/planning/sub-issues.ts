import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { isCoder, type Role } from "../../domain/agents/role.ts";
import type { EffectOf } from "../../domain/kernel/effect.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import { subIssueBody } from "../../domain/planning/sub-issue-text.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Output } from "../../domain/ports/tool-host.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { refusedBlockerIssue } from "../blockers/blocker-issues.ts";

type Wanted = Extract<Output, { kind: "create_sub_issue" }>;

/** A planner opens one sub-issue of a title, however often it asks and whatever interrupts it: the name is what it is found by. */
export function subIssueEffect(
  agent: AgentRecord,
  { title, body, role, after }: Wanted,
  digest: (text: string) => string,
): EffectOf<"create_sub_issue"> {
  return {
    kind: "create_sub_issue",
    name: `${agent.name}-part-${digest(title).slice(0, 16)}`,
    title,
    body: subIssueBody(body, agent),
    role,
    after: [...after],
  };
}

/** The coder that is to do it: the one named, or the first that there is. */
export function coderFor({ roles }: Pick<Settings, "roles">, name: string | null): Role | undefined {
  return name === null ? [...roles.values()].find(isCoder) : coderNamed(roles.get(name));
}

const coderNamed = (role: Role | undefined) => (role !== undefined && isCoder(role) ? role : undefined);

/** Why the sub-issue is not opened, for the model; null when it may be. */
export async function refusedSubIssue(
  tables: Pick<Tables, "effects">,
  settings: Settings,
  agent: AgentRecord,
  effect: EffectOf<"create_sub_issue">,
): Promise<string | null> {
  if (coderFor(settings, effect.role) === undefined) {
    const coders = [...settings.roles.values()].filter(isCoder).map(({ name }) => name);
    return `There is no role ${effect.role ?? ""} that writes code; there are: ${coders.join(", ")}.`;
  }
  const opened = await partsOf(tables, agent);
  const unknown = effect.after.filter((number) => !opened.includes(number));
  if (unknown.length > 0)
    return `after: ${unknown.map((number) => `#${number}`).join(", ")} is no sub-issue that you have opened. Open what comes first before what comes after it.`;
  return refusedBlockerIssue(tables, settings, agent, effect.name);
}

/** Numbers of the sub-issues that the planner has opened, in order. */
export async function partsOf(
  tables: Pick<Tables, "effects">,
  agent: AgentRecord,
): Promise<readonly number[]> {
  const rows = await tables.effects.find({ agentId: agent.id, kind: "create_sub_issue", state: "done" });
  return rows.flatMap(({ result }) => numberOf(result) ?? []);
}

function numberOf(result: EffectRow["result"]): number | undefined {
  return typeof result === "object" &&
    result !== null &&
    "number" in result &&
    typeof result.number === "number"
    ? result.number
    : undefined;
}

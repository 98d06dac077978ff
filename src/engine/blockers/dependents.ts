import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type BlockersRow, type IssueRef, issueKey, reportedText } from "../../domain/blockers/blockers.ts";
import type { IssueState } from "../../domain/kernel/change-set.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { readable } from "../kernel/readable.ts";

/** The issues and agents that wait for an issue, in all repositories. */
export interface Waiting {
  /**
   * Issues that this one blocks or blocked, and whose agents wait to start or sleep for other blockers too.
   */
  readonly held: IssueState["held"];
  /**
   * Agents that sleep for the issue, or are escalated after sleeping too long: they reported it, or GitHub
   * lists it as one of several blockers.
   */
  readonly asleep: readonly AgentRecord[];
}

export async function waitingFor(
  { store: { blockers, records } }: { readonly store: Pick<Tables, "blockers" | "records"> },
  repository: RepositoryRow,
  number: number,
): Promise<Waiting> {
  const { id: repositoryId } = repository;
  const blocker = { repository: fullName(repository), number };
  const rows = await blockers.blocking(blocker);
  const found = await Promise.all(
    rows.map(({ repositoryId: id, issue }) =>
      readable({ records }, "agent", {
        repositoryId: id,
        issue,
        state: ["CREATED", "SLEEPING", "ESCALATED"],
      }),
    ),
  );
  const linked = found.flat();
  const reported = await blockers.reportedBy(repositoryId, number);
  const asleep = [
    ...(await readable({ records }, "agent", { id: reported, state: ["SLEEPING", "ESCALATED"] })),
    ...linked.filter((agent) => agent.state !== "CREATED" && reportedText(agent).length > 0),
  ];
  const several = new Set(rows.filter((row) => isOneOfSeveral(row, blocker)).map(keyOf));
  const held = linked.filter((agent) => agent.state === "CREATED" || several.has(keyOf(agent)));
  const issues = held.map(({ repositoryId: id, issue }) => ({ repositoryId: id, issue }));
  return {
    held: [...new Map(issues.map((one) => [keyOf(one), one])).values()],
    asleep: [...new Map(asleep.map((one) => [one.id, one])).values()],
  };
}

const keyOf = ({ repositoryId, issue }: { readonly repositoryId: number; readonly issue: number }) =>
  `${repositoryId}#${issue}`;

/** True when another blocker is open: then the others are read again, and people read which are left. */
function isOneOfSeveral(row: BlockersRow, blocker: IssueRef): boolean {
  return row.blockers.some((one) => one.open && issueKey(one) !== issueKey(blocker));
}

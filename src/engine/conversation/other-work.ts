import { z } from "zod";
import { agentKey } from "../../domain/agents/agent-key.ts";
import { type AgentRecord, isLive } from "../../domain/agents/agent-record.ts";
import { issueText } from "../../domain/blockers/blockers.ts";
import type { OtherWork } from "../../domain/conversation/other-work.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { RELEASED } from "../../domain/tasks/on-pull.ts";
import { isOpenTask, type TaskRecord } from "../../domain/tasks/task-record.ts";

type Read = Pick<Tables, "records" | "intents" | "repositories">;
interface Place {
  readonly repositoryId: number;
  readonly issue: number;
}

/** The last agent that completed work on an issue, and the state of its work. */
export interface Completed {
  readonly agent: AgentRecord;
  /** The issue's newest task; it may have ended. */
  readonly task: TaskRecord | undefined;
  /** Its pull request while that waits for a merge. */
  readonly openPull: number | null;
  /** Nobody will work on the issue any more. */
  readonly over: boolean;
}

/**
 * Returns the last completed work, or undefined. Agents that run once, as for triage or review, do not work
 * on the issue itself and do not count.
 */
export async function completedOn(
  { records }: Pick<Read, "records">,
  place: Place,
): Promise<Completed | undefined> {
  const agents = (await records.find("agent", { ...place })).filter(({ ephemeral }) => !ephemeral);
  const agent = agents
    .filter(({ state }) => state === "COMPLETED")
    .toSorted((one, other) => (one.endedAt ?? 0) - (other.endedAt ?? 0))
    .at(-1);
  if (agent === undefined) return undefined;
  const task = (await records.find("task", { ...place })).at(-1);
  const openTask = task !== undefined && isOpenTask(task) ? task : undefined;
  const openPull = openTask !== undefined && RELEASED.includes(openTask.state) ? agent.prNumber : null;
  const others = openTask !== undefined && !agent.coder;
  return { agent, task, openPull, over: !others && !agents.some(isLive) };
}

/**
 * Returns the work that our last agent completed on an issue; null where there is none. `home` = the
 * repository where it is read.
 */
export async function otherWorkOn(
  tables: Read,
  place: Place,
  home: RepositoryRow,
): Promise<OtherWork | null> {
  const completed = await completedOn(tables, place);
  const repository = await tables.repositories.get(place.repositoryId);
  if (completed === undefined || repository === undefined) return null;
  const { agent, task } = completed;
  const pull = agent.prNumber === null ? null : { repository: fullName(repository), number: agent.prNumber };
  // Text of a private repository must not appear in a public one.
  const tells = !repository.private || home.private;
  return {
    agent: agentKey(fullName(repository), agent.name),
    role: agent.role,
    summary: tells ? ((await reported(tables, agent)) ?? agent.reason) : null,
    // A branch without a commit of the agent shows nothing.
    branch: agent.headCommit === null || agent.headCommit === agent.baseCommit ? null : agent.branch,
    pull: pull === null ? null : issueText(pull, home),
    mergeCommit: task?.mergeCommit ?? null,
  };
}

const summarized = z.object({ summary: z.string() });

/** Returns the summary of the agent's last report; after a merge the agent's reason is a different one. */
async function reported({ intents }: Pick<Read, "intents">, { id }: AgentRecord): Promise<string | null> {
  const report = summarized.safeParse((await intents.lastReport(id))?.payload);
  return report.success ? report.data.summary : null;
}

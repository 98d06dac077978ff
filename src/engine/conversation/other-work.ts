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

/** The agent that has completed the work on an issue last, and what is to become of its work. */
export interface Completed {
  readonly agent: AgentRecord;
  /** The issue's newest task, which may have ended. */
  readonly task: TaskRecord | undefined;
  /** Its pull request, while that waits for a merge. */
  readonly openPull: number | null;
  /** Nobody is to work on the issue any more. */
  readonly over: boolean;
}

/** Undefined where none has. Those that run once, as a triage or a review does, are not at work on the issue itself. */
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

/** What the agent that completed the work on an issue left; null where there was none of ours. `home` = where it is read. */
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
  // What was written in a private repository is not carried into a public one.
  const tells = !repository.private || home.private;
  return {
    agent: agentKey(fullName(repository), agent.name),
    role: agent.role,
    summary: tells ? ((await reported(tables, agent)) ?? agent.reason) : null,
    // One without a commit of its own shows nothing.
    branch: agent.headCommit === null || agent.headCommit === agent.baseCommit ? null : agent.branch,
    pull: pull === null ? null : issueText(pull, home),
    mergeCommit: task?.mergeCommit ?? null,
  };
}

const summarized = z.object({ summary: z.string() });

/** The summary of its last report; a merge gives an agent another reason. */
async function reported({ intents }: Pick<Read, "intents">, { id }: AgentRecord): Promise<string | null> {
  const report = summarized.safeParse((await intents.lastReport(id))?.payload);
  return report.success ? report.data.summary : null;
}

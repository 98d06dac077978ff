import { isLive } from "../../domain/agents/agent-record.ts";
import type { IssueState } from "../../domain/kernel/change-set.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { rejectedBy } from "../../domain/review/rejected-by.ts";
import { pushersIn } from "../../domain/tasks/on-push.ts";
import { isOpenTask } from "../../domain/tasks/task-record.ts";
import { waitingFor } from "../blockers/dependents.ts";
import { dayBudget } from "../breakers/day-budget.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { planOf } from "../planning/plan-of.ts";
import { holdsAround } from "../status/holds-around.ts";

/** Most decisions that `/flotilla why` shows. */
export const DECISIONS_SHOWN = 10;
/** Most people who pushed to one branch that are distinguished. */
const PUSHERS = 1_000;

/** Reads the records of an issue on which a decision about it is based. */
export async function readIssueState(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<IssueState> {
  const { store } = context;
  const repositoryId = repository.id;
  const agents = await store.records.find("agent", { repositoryId, issue });
  const waiting = agents.filter(({ state }) => state === "SLEEPING" || state === "ESCALATED");
  const asked = await Promise.all(waiting.map(({ id, token }) => store.approvals.asked(id, token)));
  const { held, asleep } = await waitingFor(context, repository, issue);
  const at = context.clock.now();
  const spent = await dayBudget(context, store, { repositoryId, agentId: 0, starts: true, at });
  const tasks = await store.records.find("task", { repositoryId, issue });
  const task = tasks.findLast(isOpenTask) ?? null;
  const verdicts = task === null ? [] : await store.verdicts.ofTask(task.id);
  return {
    settings: context.settingsOf(repositoryId),
    repositoryId,
    private: repository.private,
    defaultBranch: repository.defaultBranch,
    issue,
    agents,
    held,
    waiting: asleep,
    task,
    newestTask: tasks.at(-1) ?? null,
    rejectedBy: rejectedBy(verdicts, task?.reviewCommit ?? null),
    asked: asked.flat(),
    questions: await store.questions.ofAgents(agents.filter(isLive).map(({ id }) => id)),
    decisions: await store.decisions.ofIssue(repositoryId, issue, DECISIONS_SHOWN),
    pushers: pushersIn(await store.decisions.foreignCommits(repositoryId, issue, PUSHERS)),
    daySpent: spent.map(({ limit }) => limit),
    plan: await planOf(store, { repositoryId, issue }),
    status: [],
    around: await holdsAround(context, store, { repositoryId, issue }),
  };
}

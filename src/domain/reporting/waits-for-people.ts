import type { AgentRecord } from "../agents/agent-record.ts";
import { enteredStateAt } from "../agents/entered-state-at.ts";
import { asked } from "../notices/notice.ts";
import { isHeldByPeople } from "../status/needs-human.ts";
import type { TaskRecord } from "../tasks/task-record.ts";

/** `held` = by a person's pause or push; `work` = finished work that no agent works on: a review or a merge is next. */
export const PEOPLE_WAITS = ["escalated", "question", "approval", "limit", "held", "work"] as const;

/** Something that goes on only when a person acts. */
interface PeopleWait {
  readonly kind: (typeof PEOPLE_WAITS)[number];
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Returns what waits for people. `agents` = those of the tasks, and all that are SLEEPING or ESCALATED. */
export function waitsForPeople(
  agents: readonly AgentRecord[],
  tasks: readonly Pick<TaskRecord, "state" | "repositoryId" | "issue" | "assigneeId">[],
): readonly PeopleWait[] {
  return [...agents.flatMap(ofAgent), ...tasks.flatMap((task) => ofTask(task, agents))];
}

function ofAgent(agent: AgentRecord): readonly PeopleWait[] {
  const event = asked(agent);
  const kind = PEOPLE_WAITS.find((one) => one === event);
  const since = enteredStateAt(agent);
  if (kind !== undefined) return [{ kind, since }];
  return agent.state === "SLEEPING" && isHeldByPeople(agent) ? [{ kind: "held", since }] : [];
}

function ofTask(
  {
    state,
    repositoryId,
    issue,
    assigneeId,
  }: Pick<TaskRecord, "state" | "repositoryId" | "issue" | "assigneeId">,
  agents: readonly AgentRecord[],
): readonly PeopleWait[] {
  if (state !== "READY_FOR_REVIEW" && state !== "APPROVED") return [];
  const there = agents.filter((agent) => agent.repositoryId === repositoryId && agent.issue === issue);
  if (there.some((agent) => agent.state === "CREATED" || agent.state === "ACTIVE")) return [];
  const coder = there.find(({ id }) => id === assigneeId);
  return coder === undefined ? [] : [{ kind: "work", since: enteredStateAt(coder) }];
}

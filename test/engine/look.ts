import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import type { RunRecord } from "../../src/domain/agents/run.ts";
import type { SessionRecord } from "../../src/domain/agents/session.ts";
import type { TaskRecord } from "../../src/domain/tasks/task-record.ts";
import { REPOSITORY, type Rig } from "./rig.ts";

/** The agent of that name, by default the first coder on issue 1. */
export async function agentOf(rig: Rig, name = "feat-dev-issue-1"): Promise<AgentRecord> {
  const [agent] = await rig.store.records.find("agent", { name });
  if (agent === undefined) throw new Error(`there is no agent ${name}`);
  return agent;
}

export async function stateOf(rig: Rig, name?: string): Promise<string> {
  return (await agentOf(rig, name)).state;
}

/** The states that it went through, each once in a row. */
export async function historyOf(rig: Rig, name?: string): Promise<readonly string[]> {
  const agent = await agentOf(rig, name);
  const moves = await rig.store.transitions.ofAgent(agent.id);
  const states = moves.filter(({ machine }) => machine === "agent").map(({ to }) => to);
  return states.filter((state, index) => state !== states[index - 1]);
}

export async function runOf(rig: Rig, name?: string): Promise<RunRecord | undefined> {
  return (await rig.store.records.find("run", { agentId: (await agentOf(rig, name)).id })).at(-1);
}

export async function sessionsOf(rig: Rig, name?: string): Promise<readonly SessionRecord[]> {
  return rig.store.records.find("session", { agentId: (await agentOf(rig, name)).id });
}

/** The latest task of the issue. */
export async function taskOf(rig: Rig, issue = 1): Promise<TaskRecord | undefined> {
  return (await rig.store.records.find("task", { repositoryId: REPOSITORY.id, issue })).at(-1);
}

/** The rules of the decisions on the issue, oldest first. */
export async function decisionsOn(rig: Rig, issue = 1): Promise<readonly string[]> {
  const rows = await rig.store.decisions.ofIssue(REPOSITORY.id, issue, 100);
  return rows.map(({ rule }) => rule).toReversed();
}

/** Comments of ours on the issue, apart from the status comment. */
export function commentsOn(rig: Rig, issue = 1): readonly string[] {
  return ours(rig, issue).filter((body) => !body.startsWith("### Flotilla"));
}

export function statusComments(rig: Rig, issue = 1): readonly string[] {
  return ours(rig, issue).filter((body) => body.startsWith("### Flotilla"));
}

function ours(rig: Rig, issue: number): readonly string[] {
  const all = rig.repository.comments.get(issue) ?? [];
  return all.filter(({ author }) => author.type === "Bot").map(({ body }) => body);
}

/** Messages that the host sent to the agent of the issue, in order; of the latest conversation. */
export function toldTo(rig: Rig, issue = 1): readonly string[] {
  const conversation = rig.runtime.requests.findLast((messages) =>
    messages.find(({ role }) => role === "user")?.content.startsWith(`Work on issue #${issue} of`),
  );
  return (conversation ?? []).filter(({ role }) => role === "user").map(({ content }) => content);
}

/** Answers of tools that the agent of the issue has read. */
export function answersTo(rig: Rig, issue = 1): readonly string[] {
  const conversation = rig.runtime.requests.findLast((messages) =>
    messages.find(({ role }) => role === "user")?.content.startsWith(`Work on issue #${issue} of`),
  );
  return (conversation ?? []).filter(({ role }) => role === "tool").map(({ content }) => content);
}

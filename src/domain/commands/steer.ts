import { attributesOf, changedAttributes, NO_CHANGE } from "../agents/agent-attributes.ts";
import { cancel } from "../agents/agent-changes.ts";
import { type AgentRecord, type Grant, type Holder, isLive } from "../agents/agent-record.ts";
import { isHeldTask } from "../agents/agent-task.ts";
import { isInError } from "../agents/own-wake.ts";
import { isCoder, type Role } from "../agents/role.ts";
import { choiceOf } from "../agents/start-choice.ts";
import { type Cause, newAgentOf, rescopes, runtimeAsked, startRole, turnsFor } from "../agents/start-role.ts";
import { type Hold, holdsOf, isResumable, RESUMABLE } from "../breakers/hold.ts";
import {
  type ChangeSet,
  type IssueState,
  type Move,
  mergeChanges,
  type NewWake,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { baseBranch } from "../tasks/base-branch.ts";
import { roundsFor, withCause } from "./extension-of.ts";
import { attributesRefused } from "./on-set.ts";

/** Who steers, when, and a unique name of the act, by which it takes effect once. */
export interface Steering {
  readonly at: number;
  readonly actor: string;
  readonly act: string;
}

export function pauses(
  agent: AgentRecord,
  { at, actor }: Steering,
  why: string,
  holder: Holder = "person",
): Move {
  return { machine: "agent", id: agent.id, event: { type: "PAUSE", at, actor, holder, why } };
}

type Steered = Pick<IssueState, "agents" | "around">;

/** What a person writes to the agents that they let continue. */
export interface Said {
  /** The sentence that says that they let the agents continue. */
  readonly said: string;
  /** The text after the command, as the agent reads it; null when there is none. */
  readonly words: string | null;
}

const resumed = (
  { id: agentId }: AgentRecord,
  { at, act }: Steering,
  detail: string,
  grant: Grant | null = null,
): NewWake => ({
  key: `${act}:${agentId}`,
  agentId,
  reason: "resumed",
  detail,
  grant,
  dueAt: at,
});

/**
 * Returns the person's text as a separate message: the wake that lets an agent continue is dropped if the agent no
 * longer needs it, the message is not.
 */
function messageWakes(
  agents: readonly AgentRecord[],
  { at, act }: Steering,
  words: string | null,
): readonly NewWake[] {
  if (words === null) return [];
  return agents.map(({ id: agentId }) => ({
    key: `${act}:${agentId}:words`,
    agentId,
    reason: "message",
    detail: words,
    grant: null,
    dueAt: at,
  }));
}

/**
 * Starts at once what a retry brings forward: agents in `error`, and a new attempt that is due later. Null where there
 * is none.
 */
export function triesNow(steered: Steered, steering: Steering, { said, words }: Said): ChangeSet | null {
  const inError = triesErrors(steered, steering, { said, words });
  const due = steered.agents.filter(({ state, dueAt }) => state === "CREATED" && dueAt !== null);
  if (due.length === 0) return inError;
  const { at, actor } = steering;
  const starts = due.map(({ id }): Move => {
    return { machine: "agent", id, event: { type: "START", at, actor, assignedTo: null } };
  });
  return mergeChanges(inError ?? NO_CHANGES, {
    ...NO_CHANGES,
    wakes: messageWakes(due, steering, words),
    moves: [...lifts(due, steering), ...starts],
  });
}

/**
 * Retries agents in `error` at once, whatever they wait for; null where there is none. One that an incident holds
 * becomes its next probe; other holds stay.
 */
function triesErrors(
  { agents, around }: Steered,
  steering: Steering,
  { said, words }: Said,
): ChangeSet | null {
  const inError = agents.filter(
    (agent) =>
      isInError(agent) && holdsOf(agent, around).every((hold) => hold.by === "incident" || isResumable(hold)),
  );
  if (inError.length === 0) return null;
  return {
    ...NO_CHANGES,
    wakes: [
      ...inError.map((agent) => resumed(agent, steering, said)),
      ...messageWakes(inError, steering, words),
    ],
    tryNow: inError.map(({ id }) => id),
    moves: lifts(inError, steering),
  };
}

/** Returns the moves that remove the holds of a person or a commit. */
function lifts(agents: readonly AgentRecord[], { at, actor }: Steering): readonly Move[] {
  const held = agents.filter(({ heldBy }) => heldBy.some((holder) => RESUMABLE.includes(holder)));
  return held.map((agent) => ({
    machine: "agent",
    id: agent.id,
    event: { type: "RESUME", at, actor, holders: RESUMABLE, grant: null },
  }));
}

/**
 * Removes the holds of a person or a commit, and wakes agents that sleep because they were paused, that wait for a
 * person, or that are in `error`. Null when there is none; agents that only something else holds are not touched.
 * `rounds` = rounds of review for an agent in a deadlock.
 */
export function resumes(
  { agents, around }: Steered,
  steering: Steering,
  { said, words, rounds }: Said & { readonly rounds: number | null },
): ChangeSet | null {
  const live = agents.filter(isLive);
  const held = live.filter(({ heldBy }) => heldBy.some((holder) => RESUMABLE.includes(holder)));
  const waiting = live.filter(
    (agent) =>
      agent.state === "ESCALATED" ||
      (agent.sleepReason === "paused" && (held.includes(agent) || holdsOf(agent, around).length === 0)),
  );
  const inError = triesErrors({ agents: live, around }, steering, { said, words });
  const others = [...new Set([...held, ...waiting])].filter(
    ({ id }) => inError?.tryNow.includes(id) !== true,
  );
  if (held.length + waiting.length === 0 && inError === null) return null;
  return {
    ...NO_CHANGES,
    wakes: [
      ...waiting.map((agent) =>
        resumed(agent, steering, withCause(agent, said), roundsFor(agent, rounds, steering.actor)),
      ),
      ...(inError?.wakes ?? []),
      ...messageWakes(others, steering, words),
    ],
    tryNow: inError?.tryNow ?? [],
    moves: lifts(live, steering),
  };
}

/** Returns what still holds the agents after a resume, and needs another act to end. */
export function holdsBeyond({ agents, around }: Steered): readonly Hold[] {
  const holds = agents
    .flatMap((agent) => holdsOf(agent, around).filter((hold) => hold.by !== "incident" || !isInError(agent)))
    .filter((hold) => !isResumable(hold));
  return [...new Map(holds.map((hold) => [hold.by, hold])).values()];
}

/**
 * Makes a new attempt after an ESCALATED, FAILED or CANCELLED one; an ESCALATED one is cancelled first. What holds up
 * every start holds this one up too, with its decision. Null when the role no longer exists.
 */
export function revives(
  last: AgentRecord,
  view: IssueState,
  /** `why` = why an ESCALATED attempt ends. */
  cause: Omit<Cause, "backport"> & { readonly why: string },
  /** When the host may start it; null = at once. */
  dueAt: number | null = null,
): ChangeSet | null {
  const role = view.settings.roles.get(last.role);
  if (role === undefined) return null;
  const base = cause.base ?? (view.newestTask === null ? undefined : baseBranch(view.newestTask, view));
  const start = startRole(role, without(view, last), { ...cause, base });
  if (start.moves.length === 0) return start;
  const attributes = changedAttributes(attributesOf(last), cause.attributes ?? NO_CHANGE);
  if ("fault" in attributes) return attributesRefused(attributes.fault);
  const { at, actor, why } = cause;
  return {
    ...start,
    moves: [
      ...(last.state === "ESCALATED" ? [cancel({ at, actor: { login: actor } }, last, why)] : []),
      ...(isCoder(role) ? rescopes(view, cause) : []),
      ...start.moves.filter(({ machine }) => machine === "task"),
      {
        machine: "agent",
        id: null,
        event: {
          type: "REVIVE",
          at,
          actor,
          newAgent: {
            ...newAgentOf(role, view, at, null, runtimeAsked(cause)),
            ...attributes,
            ...(cause.choice ?? choiceOf(last)),
            ...turnsFor(role, view, cause),
            ...(dueAt === null ? {} : { dueAt }),
          },
          entry: { assignedTo: null },
          ...(cause.words === undefined ? {} : { words: cause.words }),
          previous: last.state === "ESCALATED" ? { ...last, state: "CANCELLED" } : last,
        },
      },
    ],
  };
}

/**
 * Frees a task that needs replanning, and ends a coder that waits for a person there, so that the named role can take
 * it. Null where the task is not BLOCKED.
 */
export function startsBlocked(role: Role, view: IssueState, cause: Cause): ChangeSet | null {
  const { task } = view;
  if (task?.state !== "BLOCKED") return null;
  const waiting = view.agents.findLast(({ coder, state }) => coder && state === "ESCALATED");
  const why = `@${cause.actor} started ${role.name} in its place`;
  if (waiting?.role === role.name) return revives(waiting, view, { ...cause, why });
  const free: IssueState = { ...view, task: { ...task, state: "UNCLAIMED" } };
  const started = startRole(role, waiting === undefined ? free : without(free, waiting), cause);
  if (started.moves.length === 0) return started;
  const { at, actor } = cause;
  const ended = waiting === undefined ? [] : [cancel({ at, actor: { login: actor } }, waiting, why)];
  return { ...started, moves: [...ended, ...rescopes(view, cause), ...started.moves] };
}

/** Returns the issue without the replaced attempt: what holds up every start holds up a new attempt too. */
function without(view: IssueState, last: AgentRecord): IssueState {
  const agents = view.agents.filter((agent) => agent.id !== last.id);
  const { task } = view;
  const frees =
    task !== null &&
    (task.state === "BLOCKED" ||
      (last.state === "ESCALATED" && last.coder && task.assigneeId === last.id && isHeldTask(task.state)));
  return { ...view, agents, task: frees ? { ...task, state: "UNCLAIMED" } : task };
}

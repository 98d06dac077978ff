import { mayRunIn } from "../access/confinement.ts";
import { limitsFor } from "../breakers/limits.ts";
import { attributesRefused } from "../commands/on-set.ts";
import type { IssueFacts } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { startsNobody } from "../planning/on-plan.ts";
import { baseRefused, chooseBase, isFreeToGo } from "../tasks/base-branch.ts";
import { printBranch } from "../tasks/branch-name.ts";
import type { Base, TaskState } from "../tasks/task-record.ts";
import { type AttributeChange, changedAttributes, NO_CHANGE } from "./agent-attributes.ts";
import type { NewAgent } from "./agent-event.ts";
import { agentName } from "./agent-key.ts";
import { type AgentRecord, isLive } from "./agent-record.ts";
import { isDraft } from "./draft-label.ts";
import { isCoder, isRetrospective, type Role } from "./role.ts";
import { refusedRuntime, runtimeOfNew } from "./runtime-choice.ts";
import type { StartChoice } from "./start-choice.ts";

export interface Cause {
  readonly at: number;
  readonly actor: string;
  readonly issue: IssueFacts;
  readonly personPull: number | null;
  /** Pull requests for the issue by people without permission: they do not hold the start up, and are named. */
  readonly strangersPulls?: readonly number[];
  /** Attributes that a person gives the new agent, besides those of its role. */
  readonly attributes?: AttributeChange;
  /** Turns that the agent may use, where that differs from its role's limit. */
  readonly turns?: number;
  /** The model, tools and temperature of the new agent; undefined = those of its role, or of the attempt before it. */
  readonly choice?: StartChoice;
  /** The runtime that a person asks for; undefined = see `runtimeOfNew`. */
  readonly runtime?: string | undefined;
  /** The issue's labels are of somebody without permission, and choose no runtime. */
  readonly strangersLabels?: boolean;
  /** The base branch that a person asks for, or that of the work before; undefined = as the issue and settings say. */
  readonly base?: string | undefined;
  /** The merged commit whose change the work begins with. */
  readonly backport?: string;
  /** What the person who starts the agent tells it. */
  readonly words?: string;
}

/** Task states in which a coder can take the task, or can once it is no draft. */
const STARTABLE: readonly TaskState[] = ["DRAFT", "UNCLAIMED", "REJECTED", "INTEGRATION_FAILED"];

/** Checks everything that forbids a start before a machine is asked; each answer is a recorded decision. */
export function startRole(role: Role, view: IssueState, cause: Cause): ChangeSet {
  const person = cause.issue.assignees.find((assignee) => assignee.type === "User");
  const unconfined = refusedUnconfined(view);
  if (unconfined !== null) return unconfined;
  // It looks back at what has ended, so that the issue is closed does not matter.
  if (isRetrospective(role)) return { ...NO_CHANGES, effects: [{ kind: "offer_lesson", asked: role.name }] };
  const tracking = startsNobody(role, view, cause.issue);
  if (tracking !== null) return tracking;
  if (cause.issue.state === "closed")
    return decisionOnly("closed", `#${view.issue} is closed`, { change: "reopen the issue", shown: true });
  if (cause.issue.locked)
    return decisionOnly("locked", "the issue is locked", {
      change: `unlock it and say \`/flotilla start ${role.name}\``,
      shown: true,
    });
  if (role.evidence === "verdict") return asksForReview(role, view);
  if (person !== undefined)
    return decisionOnly("assigned", `the issue is assigned to @${person.login}`, {
      change: "remove the assignee and say `/flotilla start`",
      shown: true,
    });
  if (isCoder(role) && cause.personPull !== null)
    return decisionOnly(
      "person_pull",
      `#${cause.personPull} is a person's open pull request for this issue`,
      {
        change: `close #${cause.personPull}, then say \`/flotilla start\``,
        shown: true,
      },
    );
  const live = view.agents.find(
    (agent) => isLive(agent) && (agent.role === role.name || (agent.coder && isCoder(role))),
  );
  if (live !== undefined)
    return decisionOnly("rival", `${live.name} already works on this issue (${live.state})`, {
      agentId: live.id,
      change:
        live.state === "ESCALATED"
          ? "`/flotilla resume` lets it continue, `/flotilla retry` begins again in its place, `/flotilla cancel` ends it"
          : "it continues; `/flotilla cancel` ends it",
      shown: true,
    });
  if (isCoder(role) && view.task !== null && !STARTABLE.includes(view.task.state))
    return decisionOnly("task", `the task of #${view.issue} is ${view.task.state}`, {
      change: "request changes on its pull request, or close that and say `/flotilla start`",
      shown: true,
    });
  const chosen =
    isCoder(role) && isFreeToGo(view) ? chooseBase(view, cause.issue, cause.base) : { base: null };
  if ("fault" in chosen) return baseRefused(chosen);
  const refused = refusedRuntime(role, view, runtimeAsked(cause));
  if (refused !== null)
    return decisionOnly("choice_refused", refused.fault, { change: refused.change, shown: true });
  const newAgent = newAgentOf(role, view, cause.at, null, runtimeAsked(cause));
  const attributes = changedAttributes(newAgent, cause.attributes ?? NO_CHANGE);
  if ("fault" in attributes) return attributesRefused(attributes.fault);
  const create: Move = {
    machine: "agent",
    id: null,
    event: {
      type: "CREATE",
      at: cause.at,
      actor: cause.actor,
      newAgent: { ...newAgent, ...attributes, ...cause.choice, ...turnsFor(role, view, cause) },
      entry: { assignedTo: null },
      ...(cause.words === undefined ? {} : { words: cause.words }),
    },
  };
  return mergeChanges(notHeld(role, cause), {
    ...NO_CHANGES,
    moves: [
      ...tasksFor(role, view, { ...cause, ...chosen, backport: backportOf(view, cause, chosen.base) }),
      create,
    ],
  });
}

/** Returns why no agent runs in this repository; null where one may. */
export function refusedUnconfined(view: IssueState): ChangeSet | null {
  if (mayRunIn(view.settings, view)) return null;
  return decisionOnly(
    "public_unconfined",
    "the repository is public and agents run unconfined (sandbox.mode is none)",
    {
      change: "make the repository private",
      shown: true,
    },
  );
}

/** Returns what says which runtime a new agent has. */
export function runtimeAsked({
  runtime,
  issue,
  strangersLabels = false,
}: Pick<Cause, "runtime" | "issue" | "strangersLabels">) {
  return { asked: runtime, labels: strangersLabels ? [] : issue.labels };
}

/** Returns the commit whose change new work begins with: that of the work before it, where it goes to the same branch. */
function backportOf({ newestTask }: IssueState, { backport }: Cause, base: Base): string | undefined {
  return backport ?? (newestTask?.base === base ? (newestTask.backport ?? undefined) : undefined);
}

/** Returns the limit of turns as the difference from that of the role, which may be negative. */
export function turnsFor(
  role: Role,
  { settings }: IssueState,
  { turns }: Pick<Cause, "turns">,
): Pick<NewAgent, "extraTurns"> {
  return turns === undefined ? {} : { extraTurns: turns - limitsFor(settings, role).maxTurns };
}

/** Names strangers' pull requests for the issue, so that people can take one up instead of the agent's work. */
function notHeld(role: Role, { strangersPulls = [] }: Cause): ChangeSet {
  if (!isCoder(role) || strangersPulls.length === 0) return NO_CHANGES;
  const named = strangersPulls.map((number) => `#${number}`).join(", ");
  const [reason, change] =
    strangersPulls.length === 1
      ? [
          `somebody without write permission has pull request ${named} open for this issue`,
          `say \`/flotilla cancel\` if you would rather use ${named}`,
        ]
      : [
          `people without write permission have pull requests ${named} open for this issue`,
          "say `/flotilla cancel` if you would rather use one of them",
        ];
  return decisionOnly("strangers_pull", reason, { change, shown: true });
}

/** Asks GitHub for the state of the pull request under review; the reviewer is created after that. */
function asksForReview({ name }: Role, { task, issue }: IssueState): ChangeSet {
  if (task?.state === "READY_FOR_REVIEW")
    return { ...NO_CHANGES, effects: [{ kind: "offer_review", asked: name }] };
  return decisionOnly("no_review", `nothing of #${issue} is up for review`, {
    change: "it starts automatically when work is up for review",
    shown: true,
  });
}

/** Returns the move by which a person's command lets work begin again on a task that needs replanning. */
export function rescopes(view: IssueState, { at, actor }: Pick<Cause, "at" | "actor">): readonly Move[] {
  if (view.task?.state !== "BLOCKED") return [];
  return [{ machine: "task", id: view.task.id, event: { type: "RESCOPE", at, actor } }];
}

/** Returns the moves that give a coder a task that it can take, with its base branch; a new one where the issue has none. */
export function tasksFor(
  role: Role,
  view: IssueState,
  cause: Pick<Cause, "at" | "actor"> & {
    readonly issue: Pick<IssueFacts, "title" | "labels">;
    readonly base: Base;
    readonly backport?: string | undefined;
  },
): readonly Move[] {
  if (!isCoder(role)) return [];
  const { at, actor, base, backport } = cause;
  if (view.task !== null)
    return isFreeToGo(view) && view.task.base !== base
      ? [{ machine: "task", id: view.task.id, event: { type: "RETARGET", at, actor, base, backport } }]
      : [];
  return [
    {
      machine: "task",
      id: null,
      event: {
        type: "OPEN",
        at,
        actor,
        repositoryId: view.repositoryId,
        issue: view.issue,
        title: cause.issue.title,
        draft: isDraft(cause.issue.labels),
        base,
        ...(backport === undefined ? {} : { backport }),
      },
    },
  ];
}

/**
 * Returns the coder whose branch and pull request the next one continues after a failed merge; null where no merge
 * failed.
 */
function mendedBy({ task, agents }: Pick<IssueState, "task" | "agents">): AgentRecord | null {
  const failed = task?.state === "INTEGRATION_FAILED" || (task?.state === "CLAIMED" && task.integrationFix);
  return (failed ? agents.find(({ id }) => id === task.assigneeId) : null) ?? null;
}

/**
 * Returns a new record: the next attempt of the role on the issue. `kept` = the agent whose branch and open pull
 * request it continues; null = a new branch, unless it takes over a failed merge.
 */
export function newAgentOf(
  role: Role,
  view: IssueState,
  at: number,
  kept: Pick<AgentRecord, "branch" | "prNumber"> | null,
  chosen?: { readonly asked: string | undefined; readonly labels: readonly string[] },
): NewAgent {
  const before = kept ?? (isCoder(role) ? mendedBy(view) : null);
  const attempts = view.agents.filter((agent) => agent.role === role.name).map((agent) => agent.attempt);
  const attempt = 1 + Math.max(0, ...attempts);
  const ephemeral = role.lifecycle === "ephemeral";
  const branch = printBranch(view.settings.branches, { role: role.name, number: view.issue, attempt });
  return {
    repositoryId: view.repositoryId,
    name: agentName({ role: role.name, issue: view.issue, attempt, ephemeralAt: ephemeral ? at : null }),
    role: role.name,
    issue: view.issue,
    attempt,
    coder: isCoder(role),
    ephemeral,
    planFirst: role.planFirst,
    runtime: runtimeOfNew(role, view, chosen),
    mode: ephemeral ? "one_shot" : "continuous",
    branch: ephemeral ? null : (before?.branch ?? branch),
    parentAgentId: null,
    prNumber: before?.prNumber ?? null,
    ...role.attributes,
  };
}

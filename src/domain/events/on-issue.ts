import { attributesOf } from "../agents/agent-attributes.ts";
import { cancel, wake } from "../agents/agent-changes.ts";
import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { choosesLabels, isCoder, isRetrospective, roleForLabel, rolesForEvent } from "../agents/role.ts";
import { choiceOf } from "../agents/start-choice.ts";
import { newAgentOf, startRole } from "../agents/start-role.ts";
import { blockerWake, issueOf } from "../blockers/blocker-wake.ts";
import { refreshesOfDependents } from "../blockers/refresh-blocked.ts";
import { pauses } from "../commands/steer.ts";
import { issueEdit } from "../conversation/issue-edit.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { personNamed } from "../status/person-named.ts";
import { baseBranch } from "../tasks/base-branch.ts";
import { goneIssueAdvice, goneIssueReason } from "../tasks/issue-gone.ts";
import { isOpenTask } from "../tasks/task-record.ts";
import type { DomainEventOf } from "./domain-event.ts";

/** What follows from each event of an issue itself; those of its labels are in `on-label.ts`. */
export const ISSUE_HANDLERS = {
  issue_opened: onIssueOpened,
  issue_closed: onIssueClosed,
  issue_reopened: onIssueReopened,
  issue_assigned: onIssueAssigned,
  issue_edited: onIssueEdited,
  issue_locked: onIssueLocked,
  issue_gone: onIssueGone,
};

function onIssueOpened(event: DomainEventOf<"issue_opened">, view: IssueState): ChangeSet {
  const roles = rolesForEvent(view.settings.roles, "issues.opened");
  if (roles.length === 0) return decisionOnly("no_role", "no role starts when an issue is opened");
  if (!event.permitted && !view.settings.policy.readUntrusted)
    return decisionOnly("untrusted_author", `@${event.actor.login} has no write permission here`, {
      change: "a person with write permission labels the issue or says `/flotilla start`",
    });
  const cause = {
    ...event,
    actor: event.actor.login,
    personPull: null,
    strangersLabels: !event.permitted,
  };
  const label = event.permitted
    ? event.issue.labels.find((one) => roleForLabel(view.settings.roles, one) !== undefined)
    : undefined;
  if (label === undefined) return mergeChanges(...roles.map((role) => startRole(role, view, cause)));
  return mergeChanges(
    ...roles.map((role) =>
      choosesLabels(role)
        ? decisionOnly(
            "no_role",
            `${role.name} chooses labels, and #${view.issue} has \`${label}\` already`,
            {
              change: "nothing: the label starts its own role",
            },
          )
        : startRole(role, view, cause),
    ),
  );
}

function onIssueClosed(event: DomainEventOf<"issue_closed">, view: IssueState): ChangeSet {
  const { mergedPull, at } = event;
  const actor = event.actor.login;
  const task: Move[] =
    view.task === null || !isOpenTask(view.task)
      ? []
      : [
          {
            machine: "task",
            id: view.task.id,
            event:
              mergedPull === null
                ? { type: "OBSERVED_CLOSED", at, actor, why: `${personNamed(actor)} closed the issue` }
                : { type: "OBSERVED_MERGED", at, actor, commit: mergedPull.commit },
          },
        ];
  const ended = view.agents.filter((agent) => isLive(agent) && !looksBack(agent, view));
  const agents = ended.map((agent): Move => {
    if (mergedPull === null) return cancel(event, agent, "the issue was closed");
    const summary = `#${mergedPull.number} was merged`;
    return {
      machine: "agent",
      id: agent.id,
      event: { type: "COMPLETE", at, actor, cause: "merged", summary },
    };
  });
  const how = event.issue.stateReason === "not_planned" ? "was closed as not planned" : "was closed";
  const wakes = view.waiting.map((agent) => blockerWake(agent, issueOf(event), how, event));
  const refreshes = refreshesOfDependents(view);
  if (task.length + agents.length + wakes.length + refreshes.length === 0)
    return decisionOnly("nobody_concerned", "no agent works on this issue or waits for it");
  return {
    ...NO_CHANGES,
    moves: [...agents, ...task],
    wakes,
    effects: [
      ...refreshes,
      ...(task.length + agents.length > 0 ? [{ kind: "status_comment" as const }] : []),
    ],
  };
}

/** A retrospective begins when the work ends, which is about when its issue is closed. */
function looksBack({ role }: AgentRecord, { settings }: IssueState): boolean {
  const its = settings.roles.get(role);
  return its !== undefined && isRetrospective(its);
}

function onIssueReopened(event: DomainEventOf<"issue_reopened">, view: IssueState): ChangeSet {
  return mergeChanges(startsAgain(event, view), { ...NO_CHANGES, effects: refreshesOfDependents(view) });
}

function startsAgain(event: DomainEventOf<"issue_reopened">, view: IssueState): ChangeSet {
  const by = event.actor.login;
  if (!event.permitted) return decisionOnly("not_permitted", `@${by} has no write permission`);
  const last = view.agents.findLast((agent) => agent.coder);
  const role = last === undefined ? undefined : view.settings.roles.get(last.role);
  if (last === undefined || role === undefined || !isCoder(role))
    return decisionOnly("never_worked", "no coder worked on this issue before", {
      change: "label it, or say `/flotilla start`",
    });
  if (isLive(last))
    return decisionOnly("rival", `${last.name} still works on this issue`, { agentId: last.id });
  const cause = {
    ...event,
    actor: by,
    base: view.newestTask === null ? undefined : baseBranch(view.newestTask, view),
  };
  const blocked = startRole(role, view, cause);
  if (blocked.moves.length === 0) return blocked;
  return {
    ...blocked,
    moves: [
      ...blocked.moves.filter(({ machine }) => machine === "task"),
      {
        machine: "agent",
        id: null,
        event: {
          type: "REOPEN",
          at: event.at,
          actor: by,
          newAgent: { ...newAgentOf(role, view, event.at, null), ...attributesOf(last), ...choiceOf(last) },
          entry: { assignedTo: null },
          previous: last,
          why: "the issue was reopened",
        },
      },
    ],
  };
}

function onIssueAssigned(event: DomainEventOf<"issue_assigned">, view: IssueState): ChangeSet {
  if (event.assignee.type !== "User")
    return decisionOnly("assigned_to_bot", `@${event.assignee.login} is not a person`);
  const live = view.agents.filter(isLive);
  if (live.length === 0) return decisionOnly("nobody_concerned", "no agent works on this issue");
  const why = `the issue was assigned to @${event.assignee.login}`;
  return { ...NO_CHANGES, moves: live.map((agent) => cancel(event, agent, why)) };
}

/** Sends agents what changed when a permitted person edits the issue: who may steer may also change the request. */
function onIssueEdited(event: DomainEventOf<"issue_edited">, view: IssueState): ChangeSet {
  const by = `@${event.actor.login}`;
  const changed = issueEdit(event.was, event.issue);
  if (changed === "")
    return decisionOnly("nothing_changed", `${by} edited the issue, its title and text are as before`);
  const live = view.agents.filter(isLive);
  if (live.length === 0) return decisionOnly("nobody_concerned", "no agent works on this issue");
  if (!event.permitted)
    return decisionOnly("not_permitted", `${by} edited the issue and has no write permission here`, {
      change: "a person with write permission says what to do differently",
    });
  const escalated = live.filter(({ state }) => state === "ESCALATED");
  const told = live.filter((agent) => !escalated.includes(agent));
  const words = `${by} edited the issue (${event.issue.url}).\n\n${changed}`;
  return mergeChanges(
    { ...NO_CHANGES, wakes: told.map((agent) => wake(event, agent, "message", words)) },
    ...escalated.map(({ id, name }) =>
      decisionOnly(
        "waits_for_person",
        `${by} edited the issue; ${name} waits for an answer, and an edit is none`,
        {
          agentId: id,
          change: "answer on the issue, or say `/flotilla resume`",
        },
      ),
    ),
  );
}

/**
 * Holds the agents of a locked issue; unlocking removes this hold and no other. The lock is GitHub's own state, so
 * everybody who can change it there holds and releases the agents.
 */
function onIssueLocked(event: DomainEventOf<"issue_locked">, view: IssueState): ChangeSet {
  const by = `@${event.actor.login}`;
  const steering = { at: event.at, actor: event.actor.login, act: event.delivery };
  const live = view.agents.filter(isLive);
  if (event.locked) {
    const stopped = live.filter(({ state }) => state !== "ESCALATED");
    if (stopped.length === 0) return nobody("locked");
    const why = `${by} locked the issue`;
    return mergeChanges(
      { ...NO_CHANGES, moves: stopped.map((agent) => pauses(agent, steering, why, "lock")) },
      decisionOnly("locked", why, { change: "unlocking it", shown: true }),
    );
  }
  const held = live.filter(({ heldBy }) => heldBy.includes("lock"));
  if (held.length === 0) return nobody("unlocked");
  const { at, actor } = steering;
  return {
    ...NO_CHANGES,
    moves: held.map(({ id }) => ({
      machine: "agent",
      id,
      event: { type: "RESUME", at, actor, holders: ["lock"], grant: null },
    })),
  };
}

function nobody(what: string): ChangeSet {
  return decisionOnly("nobody_concerned", `the issue was ${what}, and no agent of it is concerned`);
}

/**
 * Ends the agents of an issue that was deleted or transferred, wakes agents that wait for it, and writes nothing where
 * it was.
 */
function onIssueGone(event: DomainEventOf<"issue_gone">, view: IssueState): ChangeSet {
  const { at, to } = event;
  const actor = event.actor.login;
  const how = to === null ? "deleted" : `transferred to ${to}`;
  const why = goneIssueReason(to);
  const ended = view.agents.filter(isLive).map(
    (agent): Move => ({
      machine: "agent",
      id: agent.id,
      event: { type: "CANCEL", at, actor, why, quiet: true, gone: true },
    }),
  );
  const task: readonly Move[] =
    view.task === null || !isOpenTask(view.task)
      ? []
      : [
          {
            machine: "task",
            id: view.task.id,
            event: { type: "OBSERVED_CLOSED", at, actor, why },
          },
        ];
  const wakes = view.waiting.map((agent) => blockerWake(agent, issueOf(event), `was ${how}`, event));
  return mergeChanges(
    // The agents first: a cancelled coder releases a task that it still holds.
    { ...NO_CHANGES, moves: [...ended, ...task], wakes },
    decisionOnly("issue_gone", `@${actor} ${how === "deleted" ? how : "moved"} the issue${moved(to)}`, {
      change: goneIssueAdvice(to),
    }),
  );
}

function moved(to: string | null): string {
  return to === null ? "" : ` to ${to}`;
}

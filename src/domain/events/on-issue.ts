import { cancel, wake } from "../agents/agent-changes.ts";
import { isLive } from "../agents/agent-record.ts";
import { isDraftLabel } from "../agents/draft-label.ts";
import { marksOf } from "../agents/marks.ts";
import { onDraftLabeled, onDraftUnlabeled } from "../agents/on-draft-label.ts";
import { isCoder, roleForLabel, rolesForEvent } from "../agents/role.ts";
import { newAgentOf, startRole, tasksFor } from "../agents/start-role.ts";
import { blockerWake, issueOf } from "../blockers/blocker-wake.ts";
import { refreshesOfDependents } from "../blockers/refresh-blocked.ts";
import { editDistance } from "../commands/edit-distance.ts";
import { roundsFor, withCause } from "../commands/extension-of.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { onGoalLabel } from "../planning/on-plan.ts";
import { onPlanLabeled } from "../planning/on-plan-label.ts";
import { isGoalLabel } from "../planning/plan.ts";
import { isPlanLabel } from "../planning/plan-label.ts";
import { personNamed } from "../status/person-named.ts";
import { isCategoryLabel, isEscalationLabel } from "../tasks/escalation.ts";
import { onStateLabel } from "../tasks/on-state-label.ts";
import { isStateLabel } from "../tasks/state-label.ts";
import { isOpenTask } from "../tasks/task-record.ts";
import type { DomainEventOf, PullsOfPeople } from "./domain-event.ts";

export function onIssueOpened(event: DomainEventOf<"issue_opened">, view: IssueState): ChangeSet {
  const roles = rolesForEvent(view.settings.roles, "issues.opened");
  if (roles.length === 0) return decisionOnly("no_role", "no role starts when an issue is opened");
  if (!event.permitted && !view.settings.policy.readUntrusted)
    return decisionOnly("untrusted_author", `@${event.actor.login} has no write permission here`, {
      change: "a person with write permission labels the issue or says `/flotilla start`",
    });
  const cause = { ...causeOf(event), personPull: null };
  return mergeChanges(...roles.map((role) => startRole(role, view, cause)));
}

export function onIssueLabeled(event: DomainEventOf<"issue_labeled">, view: IssueState): ChangeSet {
  if (isStateLabel(event.label)) return onStateLabel(event);
  if (isDraftLabel(event.label)) return onDraftLabeled(view);
  if (isPlanLabel(event.label)) return onPlanLabeled(view);
  if (isEscalationLabel(event.label, view.settings.escalation.label) || isCategoryLabel(event.label))
    return decisionOnly("escalation_label", "the label asks for a person and starts nothing");
  if (isGoalLabel(event.label)) return onGoalLabel(event, view);
  const role = roleForLabel(view.settings.roles, event.label);
  if (role === undefined) return noRole(event, view);
  if (event.own && !event.authorPermitted)
    return decisionOnly(
      "untrusted_author",
      `our own triage put \`${event.label}\`, and @${event.issue.author.login} has no write permission`,
      { change: `a person with write permission says \`/flotilla start ${role.name}\``, shown: true },
    );
  if (!event.own && !event.permitted)
    return decisionOnly("not_permitted", `@${event.actor.login} may label but has no write permission`, {
      change: `a person with write permission says \`/flotilla start ${role.name}\``,
      shown: true,
    });
  return startRole(role, view, { ...causeOf(event), ...pullsOf(event) });
}

/** A label that nearly is one of ours gets an answer; any other is only noted. */
function noRole(event: DomainEventOf<"issue_labeled">, view: IssueState): ChangeSet {
  const known = [...view.settings.roles.values()].flatMap((role) =>
    role.triggers.flatMap((trigger) => trigger.label ?? []),
  );
  const near = known.find((label) => editDistance(label, event.label.toLowerCase()) <= 2);
  return decisionOnly("no_role", `no role starts for the label \`${event.label}\``, {
    change: near === undefined ? `labels that start one: ${known.join(", ")}` : `did you mean \`${near}\`?`,
    shown: near !== undefined && event.permitted,
  });
}

export function onIssueUnlabeled(event: DomainEventOf<"issue_unlabeled">, view: IssueState): ChangeSet {
  if (isStateLabel(event.label)) return onStateLabel(event);
  if (isDraftLabel(event.label)) return onDraftUnlabeled(event, view);
  const live = view.agents.filter(isLive);
  const by = `@${event.actor.login}`;
  if (event.own) return decisionOnly("own_act", "we removed the label ourselves");
  if (isEscalationLabel(event.label, view.settings.escalation.label)) {
    const escalated = live.filter((agent) => agent.state === "ESCALATED");
    if (escalated.length === 0)
      return mergeChanges(decisionOnly("none_waits", "no agent here continues when the label is removed"), {
        ...NO_CHANGES,
        effects: [{ kind: "task_label" }],
      });
    if (!event.permitted)
      return mergeChanges(decisionOnly("not_permitted", `${by} has no write permission`), {
        ...NO_CHANGES,
        effects: [{ kind: "add_labels", labels: [view.settings.escalation.label] }],
      });
    const detail = `${by} removed the label ${event.label}: continue.`;
    return {
      ...NO_CHANGES,
      wakes: escalated.map((agent) =>
        wake(event, agent, "resumed", withCause(agent, detail), roundsFor(agent, null, event.actor.login)),
      ),
    };
  }
  const role = roleForLabel(view.settings.roles, event.label);
  const ended = live.filter((agent) => agent.role === role?.name);
  if (ended.length === 0) return decisionOnly("label_unused", `nothing works because of \`${event.label}\``);
  return {
    ...NO_CHANGES,
    moves: ended.map((agent) => cancel(event, agent, `the label \`${event.label}\` was removed`)),
  };
}

export function onIssueClosed(event: DomainEventOf<"issue_closed">, view: IssueState): ChangeSet {
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
  const agents = view.agents.filter(isLive).map((agent): Move => {
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
  const looks = refreshesOfDependents(view);
  if (task.length + agents.length + wakes.length + looks.length === 0)
    return decisionOnly("nobody_concerned", "no agent works on this issue or waits for it");
  return {
    ...NO_CHANGES,
    moves: [...agents, ...task],
    wakes,
    effects: [...looks, ...(task.length + agents.length > 0 ? [{ kind: "status_comment" as const }] : [])],
  };
}

export function onIssueReopened(event: DomainEventOf<"issue_reopened">, view: IssueState): ChangeSet {
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
  const cause = { ...causeOf(event), ...pullsOf(event) };
  const blocked = startRole(role, view, cause);
  if (blocked.moves.length === 0) return blocked;
  return {
    ...blocked,
    moves: [
      ...tasksFor(role, view, cause),
      {
        machine: "agent",
        id: null,
        event: {
          type: "REOPEN",
          at: event.at,
          actor: by,
          newAgent: { ...newAgentOf(role, view, event.at, null), ...marksOf(last) },
          entry: { assignedTo: null },
          previous: last,
          why: "the issue was reopened",
        },
      },
    ],
  };
}

export function onIssueAssigned(event: DomainEventOf<"issue_assigned">, view: IssueState): ChangeSet {
  if (event.assignee.type !== "User")
    return decisionOnly("assigned_to_bot", `@${event.assignee.login} is not a person`);
  const live = view.agents.filter(isLive);
  if (live.length === 0) return decisionOnly("nobody_concerned", "no agent works on this issue");
  const why = `the issue was assigned to @${event.assignee.login}`;
  return { ...NO_CHANGES, moves: live.map((agent) => cancel(event, agent, why)) };
}

function causeOf(event: {
  at: number;
  actor: { login: string };
  issue: DomainEventOf<"issue_opened">["issue"];
}) {
  return { at: event.at, actor: event.actor.login, issue: event.issue };
}

function pullsOf({ personPull, strangersPulls }: PullsOfPeople): PullsOfPeople {
  return { personPull, strangersPulls };
}

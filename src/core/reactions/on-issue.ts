import { isDraftLabel } from "../draft-label.ts";
import { editDistance } from "../edit-distance.ts";
import { isCategoryLabel, isEscalationLabel } from "../escalation.ts";
import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import { isOpenTask } from "../machines/task.ts";
import { marksOf } from "../marks.ts";
import type { OccurrenceOf, PullsOfPeople } from "../occurrence.ts";
import { isGoalLabel } from "../plan.ts";
import { isPlanLabel } from "../plan-label.ts";
import { decided, joined, type Move, NOTHING, type Reaction, type View, type WakeWish } from "../reaction.ts";
import { isCoder, roleForLabel, rolesForEvent } from "../role.ts";
import { isStateLabel } from "../state-label.ts";
import { personNamed } from "../text/person-named.ts";
import { blockerWake, issueOf } from "./blocker-wake.ts";
import { roundsFor, withCause } from "./grant-for.ts";
import { looksAtHeld } from "./looks-at-held.ts";
import { onDraftLabeled, onDraftUnlabeled } from "./on-draft-label.ts";
import { onGoalLabel } from "./on-plan.ts";
import { onPlanLabeled } from "./on-plan-label.ts";
import { onStateLabel } from "./on-state-label.ts";
import { birthOf, startRole, tasksFor } from "./start-role.ts";

export function onIssueOpened(occurrence: OccurrenceOf<"issue_opened">, view: View): Reaction {
  const roles = rolesForEvent(view.settings.roles, "issues.opened");
  if (roles.length === 0) return decided("no_role", "no role starts when an issue is opened");
  if (!occurrence.permitted && !view.settings.policy.readUntrusted)
    return decided("untrusted_author", `@${occurrence.actor.login} has no write permission here`, {
      change: "a person with write permission labels the issue or says `/flotilla start`",
    });
  const cause = { ...causeOf(occurrence), personPull: null };
  return joined(...roles.map((role) => startRole(role, view, cause)));
}

export function onIssueLabeled(occurrence: OccurrenceOf<"issue_labeled">, view: View): Reaction {
  if (isStateLabel(occurrence.label)) return onStateLabel(occurrence);
  if (isDraftLabel(occurrence.label)) return onDraftLabeled(view);
  if (isPlanLabel(occurrence.label)) return onPlanLabeled(view);
  if (
    isEscalationLabel(occurrence.label, view.settings.escalation.label) ||
    isCategoryLabel(occurrence.label)
  )
    return decided("escalation_label", "the label asks for a person and starts nothing");
  if (isGoalLabel(occurrence.label)) return onGoalLabel(occurrence, view);
  const role = roleForLabel(view.settings.roles, occurrence.label);
  if (role === undefined) return noRole(occurrence, view);
  if (occurrence.own && !occurrence.authorPermitted)
    return decided(
      "untrusted_author",
      `our own triage put \`${occurrence.label}\`, and @${occurrence.issue.author.login} has no write permission`,
      { change: `a person with write permission says \`/flotilla start ${role.name}\``, shown: true },
    );
  if (!occurrence.own && !occurrence.permitted)
    return decided("not_permitted", `@${occurrence.actor.login} may label but has no write permission`, {
      change: `a person with write permission says \`/flotilla start ${role.name}\``,
      shown: true,
    });
  return startRole(role, view, { ...causeOf(occurrence), ...pullsOf(occurrence) });
}

/** A label that nearly is one of ours gets an answer; any other is only noted. */
function noRole(occurrence: OccurrenceOf<"issue_labeled">, view: View): Reaction {
  const known = [...view.settings.roles.values()].flatMap((role) =>
    role.triggers.flatMap((trigger) => trigger.label ?? []),
  );
  const near = known.find((label) => editDistance(label, occurrence.label.toLowerCase()) <= 2);
  return decided("no_role", `no role starts for the label \`${occurrence.label}\``, {
    change: near === undefined ? `labels that start one: ${known.join(", ")}` : `did you mean \`${near}\`?`,
    shown: near !== undefined && occurrence.permitted,
  });
}

export function onIssueUnlabeled(occurrence: OccurrenceOf<"issue_unlabeled">, view: View): Reaction {
  if (isStateLabel(occurrence.label)) return onStateLabel(occurrence);
  if (isDraftLabel(occurrence.label)) return onDraftUnlabeled(occurrence, view);
  const live = view.agents.filter(isLive);
  const by = `@${occurrence.actor.login}`;
  if (occurrence.own) return decided("own_act", "we removed the label ourselves");
  if (isEscalationLabel(occurrence.label, view.settings.escalation.label)) {
    const escalated = live.filter((agent) => agent.state === "ESCALATED");
    if (escalated.length === 0)
      return joined(decided("none_waits", "no agent here continues when the label is removed"), {
        ...NOTHING,
        effects: [{ kind: "task_label" }],
      });
    if (!occurrence.permitted) return decided("not_permitted", `${by} has no write permission`);
    const detail = `${by} removed the label ${occurrence.label}: continue.`;
    return {
      ...NOTHING,
      wakes: escalated.map((agent) =>
        wake(
          occurrence,
          agent,
          "resumed",
          withCause(agent, detail),
          roundsFor(agent, null, occurrence.actor.login),
        ),
      ),
    };
  }
  const role = roleForLabel(view.settings.roles, occurrence.label);
  const ended = live.filter((agent) => agent.role === role?.name);
  if (ended.length === 0) return decided("label_unused", `nothing works because of \`${occurrence.label}\``);
  return {
    ...NOTHING,
    moves: ended.map((agent) => cancel(occurrence, agent, `the label \`${occurrence.label}\` was removed`)),
  };
}

export function onIssueClosed(occurrence: OccurrenceOf<"issue_closed">, view: View): Reaction {
  const { mergedPull, at } = occurrence;
  const actor = occurrence.actor.login;
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
    if (mergedPull === null) return cancel(occurrence, agent, "the issue was closed");
    const summary = `#${mergedPull.number} was merged`;
    return {
      machine: "agent",
      id: agent.id,
      event: { type: "COMPLETE", at, actor, cause: "merged", summary },
    };
  });
  const how = occurrence.issue.stateReason === "not_planned" ? "was closed as not planned" : "was closed";
  const wakes = view.waiting.map((agent) => blockerWake(agent, issueOf(occurrence), how, occurrence));
  const looks = looksAtHeld(view);
  if (task.length + agents.length + wakes.length + looks.length === 0)
    return decided("nobody_concerned", "no agent works on this issue or waits for it");
  return {
    ...NOTHING,
    moves: [...agents, ...task],
    wakes,
    effects: [...looks, ...(task.length + agents.length > 0 ? [{ kind: "status_comment" as const }] : [])],
  };
}

export function onIssueReopened(occurrence: OccurrenceOf<"issue_reopened">, view: View): Reaction {
  const by = occurrence.actor.login;
  if (!occurrence.permitted) return decided("not_permitted", `@${by} has no write permission`);
  const last = view.agents.findLast((agent) => agent.coder);
  const role = last === undefined ? undefined : view.settings.roles.get(last.role);
  if (last === undefined || role === undefined || !isCoder(role))
    return decided("never_worked", "no coder worked on this issue before", {
      change: "label it, or say `/flotilla start`",
    });
  if (isLive(last)) return decided("rival", `${last.name} still works on this issue`, { agentId: last.id });
  const cause = { ...causeOf(occurrence), ...pullsOf(occurrence) };
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
          at: occurrence.at,
          actor: by,
          birth: { ...birthOf(role, view, occurrence.at, null), ...marksOf(last) },
          entry: { assignedTo: null },
          previous: last,
          why: "the issue was reopened",
        },
      },
    ],
  };
}

export function onIssueAssigned(occurrence: OccurrenceOf<"issue_assigned">, view: View): Reaction {
  if (occurrence.assignee.type !== "User")
    return decided("assigned_to_bot", `@${occurrence.assignee.login} is not a person`);
  const live = view.agents.filter(isLive);
  if (live.length === 0) return decided("nobody_concerned", "no agent works on this issue");
  const why = `the issue was assigned to @${occurrence.assignee.login}`;
  return { ...NOTHING, moves: live.map((agent) => cancel(occurrence, agent, why)) };
}

export function cancel(
  occurrence: { at: number; actor: { login: string } },
  agent: AgentRecord,
  why: string,
): Move {
  return {
    machine: "agent",
    id: agent.id,
    event: { type: "CANCEL", at: occurrence.at, actor: occurrence.actor.login, why, quiet: false },
  };
}

export function wake(
  occurrence: { at: number; delivery: string },
  agent: AgentRecord,
  reason: WakeWish["reason"],
  detail: string,
  grant: WakeWish["grant"] = null,
): WakeWish {
  return {
    key: `${occurrence.delivery}:${agent.id}`,
    agentId: agent.id,
    reason,
    detail,
    grant,
    dueAt: occurrence.at,
  };
}

function causeOf(occurrence: {
  at: number;
  actor: { login: string };
  issue: OccurrenceOf<"issue_opened">["issue"];
}) {
  return { at: occurrence.at, actor: occurrence.actor.login, issue: occurrence.issue };
}

function pullsOf({ personPull, strangersPulls }: PullsOfPeople): PullsOfPeople {
  return { personPull, strangersPulls };
}

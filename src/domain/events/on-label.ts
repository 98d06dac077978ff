import { cancel, wake } from "../agents/agent-changes.ts";
import { isLive } from "../agents/agent-record.ts";
import { isDraftLabel } from "../agents/draft-label.ts";
import { onDraftLabeled, onDraftUnlabeled } from "../agents/on-draft-label.ts";
import { roleForLabel } from "../agents/role.ts";
import { runtimeOfLabel } from "../agents/runtime-choice.ts";
import { startRole } from "../agents/start-role.ts";
import { editDistance } from "../commands/edit-distance.ts";
import { roundsFor, withCause } from "../commands/extension-of.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { onGoalLabel } from "../planning/on-plan.ts";
import { onPlanLabeled } from "../planning/on-plan-label.ts";
import { isGoalLabel } from "../planning/plan.ts";
import { isPlanLabel } from "../planning/plan-label.ts";
import { basesOfLabel, keepsBase } from "../tasks/base-branch.ts";
import { isEscalationLabel } from "../tasks/escalation.ts";
import { onStateLabel } from "../tasks/on-state-label.ts";
import { isStateLabel } from "../tasks/state-label.ts";
import type { DomainEventOf } from "./domain-event.ts";

/** What follows from a label that is put on an issue or taken away. */
export const LABEL_HANDLERS = { issue_labeled: onIssueLabeled, issue_unlabeled: onIssueUnlabeled };

function onIssueLabeled(event: DomainEventOf<"issue_labeled">, view: IssueState): ChangeSet {
  if (isStateLabel(event.label)) return onStateLabel(event);
  if (isDraftLabel(event.label)) return onDraftLabeled(view);
  if (isPlanLabel(event.label)) return onPlanLabeled(view);
  if (isEscalationLabel(event.label, view.settings.escalation.label))
    return decisionOnly("escalation_label", "the label asks for a person and starts nothing");
  if (isGoalLabel(event.label)) return onGoalLabel(event, view);
  const role = roleForLabel(view.settings.roles, event.label);
  if (role === undefined)
    return onBaseLabel(event, view) ?? onRuntimeLabel(event, view) ?? noRole(event, view);
  if (event.own && !event.authorPermitted)
    return decisionOnly(
      "untrusted_author",
      `Flotilla's own triage added \`${event.label}\`, but @${event.issue.author.login} has no write permission`,
      { change: `a person with write permission says \`/flotilla start ${role.name}\``, shown: true },
    );
  if (!event.own && !event.permitted)
    return decisionOnly("not_permitted", `@${event.actor.login} may label but has no write permission`, {
      change: `a person with write permission says \`/flotilla start ${role.name}\``,
      shown: true,
    });
  return startRole(role, view, { ...event, actor: event.actor.login });
}

/** Says where the work of an issue goes once a label has chosen its base branch; null for any other label. */
function onBaseLabel({ label }: DomainEventOf<"issue_labeled">, view: IssueState): ChangeSet | null {
  const [branch] = basesOfLabel(view.settings, label);
  if (branch === undefined) return null;
  return (
    keepsBase(view, branch) ??
    decisionOnly("base_label", `work that starts on #${view.issue} goes to \`${branch}\``)
  );
}

/**
 * Says with what the work of an issue is done once a label has chosen a runtime; null for any other label. One from somebody
 * without permission is taken off, so that a start finds only labels that count.
 */
function onRuntimeLabel(event: DomainEventOf<"issue_labeled">, view: IssueState): ChangeSet | null {
  const { label } = event;
  const runtime = runtimeOfLabel(label, view.settings);
  if (runtime === undefined) return null;
  if (!(event.own ? event.authorPermitted : event.permitted))
    return mergeChanges(
      decisionOnly(
        "not_permitted",
        event.own
          ? `Flotilla's own triage added \`${label}\`, but @${event.issue.author.login} has no write permission, so Flotilla removed it`
          : `@${event.actor.login} has no write permission, so Flotilla removed \`${label}\``,
        {
          change:
            "a person with write permission adds the label, or says `/flotilla start <role> with <runtime>`",
          shown: true,
        },
      ),
      { ...NO_CHANGES, effects: [{ kind: "remove_label", label }] },
    );
  const kept = view.agents.findLast((agent) => agent.coder)?.runtime;
  return decisionOnly(
    "runtime_label",
    kept === undefined || kept === runtime
      ? `work that starts on #${view.issue} uses the runtime ${runtime}`
      : `the work on #${view.issue} began with ${kept} and keeps it; to begin again with ${runtime}, say \`/flotilla cancel\`, then \`/flotilla start <role> with ${runtime}\``,
  );
}

/** Answers a label that is nearly one of ours; any other label is only recorded. */
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

function onIssueUnlabeled(event: DomainEventOf<"issue_unlabeled">, view: IssueState): ChangeSet {
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

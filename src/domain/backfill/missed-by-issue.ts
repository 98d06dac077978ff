import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { isDraft, isDraftLabel } from "../agents/draft-label.ts";
import { wasRefused } from "../commands/refused.ts";
import type { DecisionRow } from "../kernel/rows.ts";
import type { GitHubEvent, GitHubIssue } from "../ports/github.ts";
import type { VerdictRow } from "../review/verdict.ts";
import { isOpenTask, type TaskRecord } from "../tasks/task-record.ts";
import { type BackfilledDelivery, rawIssue } from "./backfilled-delivery.ts";

/** What our records say about an issue whose state on GitHub is compared with them. */
export interface Known {
  /** All agents of the issue. */
  readonly agents: readonly AgentRecord[];
  readonly task: TaskRecord | null;
  /** The latest decisions about the issue. */
  readonly decisions: readonly DecisionRow[];
  /** All verdicts on the commit under review, also those that no longer count. */
  readonly given: readonly Pick<VerdictRow, "reviewer" | "account" | "approves" | "createdAt">[];
  /** Ids of ESCALATED agents that already have a wake by which they continue. */
  readonly resuming: ReadonlySet<number>;
  /** The label of `escalation.label`. */
  readonly escalationLabel: string;
  /** The App's own account. */
  readonly botId: number;
}

interface Rule {
  /** GitHub's name of the event, and the webhook's action. */
  readonly event: string;
  /** The event that would have reversed this one. */
  readonly undone: string;
  /** Returns whether the fact holds on GitHub now. */
  readonly stands: (issue: GitHubIssue, known: Known) => boolean;
  /**
   * Returns the time since which no agent has reacted to the fact, in milliseconds since the epoch; null when all have.
   */
  readonly since: (known: Known) => number | null;
  /** Returns whether an event of the issue caused this fact. */
  readonly about?: (event: GitHubEvent, issue: GitHubIssue, known: Known) => boolean;
  /** The event steers agents, so the permission of its actor matters. */
  readonly steers?: true;
  /** Returns what the webhook adds to the issue. */
  readonly fields?: (event: GitHubEvent) => Readonly<Record<string, unknown>>;
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const isPerson = (event: GitHubEvent) => event.assignee?.type === "User";

const RULES: readonly Rule[] = [
  {
    event: "closed",
    undone: "reopened",
    stands: ({ state }) => state === "closed",
    since: ({ agents, task }) =>
      earliest([
        ...agents.filter(isLive).map(({ createdAt }) => createdAt),
        ...(task !== null && isOpenTask(task) ? [task.createdAt] : []),
      ]),
  },
  {
    event: "assigned",
    undone: "unassigned",
    stands: ({ assignees }) => assignees.some(({ type }) => type === "User"),
    since: ({ agents }) => earliest(agents.filter(isLive).map(({ createdAt }) => createdAt)),
    about: (event, { assignees }) => isPerson(event) && assignees.some(({ id }) => id === event.assignee?.id),
    fields: ({ assignee }) => ({ assignee }),
  },
  {
    event: "locked",
    undone: "unlocked",
    stands: ({ locked }) => locked,
    since: ({ agents }) =>
      agents.some((agent) => isLive(agent) && agent.state !== "ESCALATED" && !agent.heldBy.includes("lock"))
        ? 0
        : null,
  },
  {
    event: "unlocked",
    undone: "locked",
    stands: ({ locked }) => !locked,
    since: ({ agents }) => (agents.some(({ heldBy }) => heldBy.includes("lock")) ? 0 : null),
  },
  {
    event: "unlabeled",
    undone: "labeled",
    stands: ({ labels }, { escalationLabel }) => !labels.some((label) => same(label, escalationLabel)),
    since: ({ agents, resuming }) =>
      earliest(
        agents.flatMap(({ id, state, sleepingSince }) =>
          state === "ESCALATED" && !resuming.has(id) ? (sleepingSince ?? []) : [],
        ),
      ),
    steers: true,
    about: (event, _, { escalationLabel }) => same(event.label ?? "", escalationLabel),
    fields: ({ label }) => ({ label: { name: label } }),
  },
  {
    event: "unlabeled",
    undone: "labeled",
    stands: ({ labels }) => !isDraft(labels),
    since: ({ task }) => (task?.state === "DRAFT" ? task.createdAt : null),
    steers: true,
    about: ({ label }) => isDraftLabel(label ?? ""),
    fields: ({ label }) => ({ label: { name: label } }),
  },
];

/** Returns true when agents may not have reacted to the issue's state: then its events are read. */
export function mayHaveMissed(issue: GitHubIssue, known: Known): boolean {
  return RULES.some((rule) => rule.stands(issue, known) && rule.since(known) !== null);
}

/** Returns the webhooks of facts that hold on GitHub and that agents have not reacted to; `events` oldest first. */
export function missedByIssue(
  issue: GitHubIssue,
  events: readonly GitHubEvent[],
  known: Known,
): readonly BackfilledDelivery[] {
  return RULES.filter((rule) => rule.stands(issue, known)).flatMap((rule) => {
    const since = rule.since(known);
    const last = events.findLast(
      (event) =>
        [rule.event, rule.undone].includes(event.event) && (rule.about?.(event, issue, known) ?? true),
    );
    if (since === null || last?.event !== rule.event || !isSince(last, since)) return [];
    if (rule.steers && (last.actor.id === known.botId || wasRefused(last.actor, last.createdAt, known)))
      return [];
    return [
      {
        name: `event-${last.id}`,
        event: "issues",
        action: rule.event,
        number: issue.number,
        sender: last.actor,
        fields: { issue: rawIssue(issue), ...rule.fields?.(last) },
      },
    ];
  });
}

/** Includes the same second: GitHub's times are whole seconds. */
export function isSince({ createdAt }: Pick<GitHubEvent, "createdAt">, since: number): boolean {
  return Date.parse(createdAt) + 999 >= since;
}

export function earliest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.min(...times);
}

import { type Limits, limitsFor } from "../breakers/limits.ts";
import { decide } from "../decide.ts";
import type { Account } from "../events/account.ts";
import type { IssueFacts } from "../events/domain-event.ts";
import type { IssueState } from "../kernel/change-set.ts";
import type { RepositoryRow } from "../kernel/rows.ts";
import { NO_PLAN } from "../planning/plan.ts";
import type { Settings } from "../settings/settings.ts";
import { isStateLabel } from "../tasks/state-label.ts";

/** An issue as GitHub has it now. */
export interface SeenIssue {
  readonly issue: IssueFacts;
  readonly authorPermitted: boolean;
  /** The issue's labels, with who set each last and whether they have permission. */
  readonly labels: readonly {
    readonly label: string;
    readonly by: Account;
    readonly permitted: boolean;
    /** Our own App set the label. */
    readonly own: boolean;
  }[];
}

export interface WouldDo {
  readonly starts: readonly {
    readonly role: string;
    /** `opened`, or the label. */
    readonly cause: string;
    readonly limits: Limits;
  }[];
  /** Why nothing, or nothing more, starts; in words for people. */
  readonly not: readonly string[];
}

/**
 * Returns what today's configuration would begin on an issue without any work, by the rules for a new webhook. A closed
 * issue counts as open, as it was when it asked for work.
 */
export function wouldDo(
  settings: Settings,
  repository: RepositoryRow,
  { issue, authorPermitted, labels }: SeenIssue,
): WouldDo {
  const view: IssueState = {
    ...NOTHING_KNOWN,
    settings,
    repositoryId: repository.id,
    private: repository.private,
    issue: issue.number,
  };
  const base = { delivery: "report", at: 0, repository, issue: { ...issue, state: "open" as const } };
  // Which labels it had when it was opened is not known.
  const opened = { ...base, issue: { ...base.issue, labels: [] } };
  const causes = [
    {
      cause: "opened",
      changes: decide(
        { ...opened, type: "issue_opened", actor: issue.author, permitted: authorPermitted },
        view,
      ),
    },
    ...labels
      .filter(({ label }) => !isStateLabel(label))
      .map(({ label, by, permitted, own }) => {
        const put = {
          ...base,
          actor: by,
          permitted,
          label,
          own,
          authorPermitted,
          personPull: null,
          strangersPulls: [],
        };
        return { cause: label, changes: decide({ ...put, type: "issue_labeled" }, view) };
      }),
  ];
  const starts = causes.flatMap(({ cause, changes }) =>
    changes.moves.flatMap((move) => {
      if (move.machine !== "agent" || move.event.type !== "CREATE") return [];
      const { newAgent } = move.event;
      return [...settings.roles.values()]
        .filter(({ name }) => name === newAgent.role)
        .map((role) => ({ role: role.name, cause, limits: limitsFor(settings, role) }));
    }),
  );
  const decisions = causes.flatMap(({ changes }) => changes.decisions);
  // That a label starts no agent matters only where no other label does and there is no better reason.
  const telling = decisions.filter(({ rule }) => rule !== "no_role");
  const told = telling.length > 0 || starts.length > 0 ? telling : decisions.slice(0, 1);
  return { starts, not: [...new Set(told.map(({ reason }) => reason))] };
}

const NOTHING_KNOWN: Omit<IssueState, "settings" | "repositoryId" | "private" | "issue"> = {
  // Where work would go is not told.
  defaultBranch: "",
  newestTask: null,
  agents: [],
  waiting: [],
  held: [],
  task: null,
  decisions: [],
  pushers: [],
  rejectedBy: [],
  daySpent: [],
  status: [],
  asked: [],
  questions: [],
  plan: NO_PLAN,
  around: [],
};

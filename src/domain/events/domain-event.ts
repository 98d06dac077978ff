import type { IssueRef } from "../blockers/blockers.ts";
import type { Command } from "../commands/command.ts";
import type { RepositoryRow } from "../kernel/rows.ts";
import type { Milestone } from "../planning/milestone.ts";
import type { GitHubIssue } from "../ports/github.ts";
import type { Account } from "./account.ts";

/**
 * An event on GitHub, in our language, with everything that a decision needs: the actor's permission was looked up when
 * the delivery was handled. One delivery gives one event, or is ignored with a reason.
 */
interface Base {
  /** `X-GitHub-Delivery` of the delivery; backfilled ones have their own. */
  readonly delivery: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly repository: RepositoryRow;
  /** `sender` of the event. */
  readonly actor: Account;
  /**
   * The actor's permission reaches `policy.who_may_command`, or its bot id is on `policy.bots`. False when the look-up
   * failed.
   */
  readonly permitted: boolean;
  /** Accounts whose permission could not be read and counted as none, with the error. */
  readonly unread?: readonly { readonly login: string; readonly error: string }[];
}

/** The fields of an issue that decisions need, read from the payload. */
export type IssueFacts = Pick<
  GitHubIssue,
  | "number"
  | "title"
  | "body"
  | "state"
  | "stateReason"
  | "labels"
  | "assignees"
  | "author"
  | "url"
  | "locked"
  | "milestone"
>;

/** Open pull requests that close the issue by their own text, and are not ours. */
export interface PullsOfPeople {
  /** One by a person with permission: no coder starts beside it. Null when there is none. */
  readonly personPull: number | null;
  /** The first few by other people, where there is no `personPull`. They hold nothing up. */
  readonly strangersPulls: readonly number[];
}

/** A person's pull request, besides what it has in common with an issue. */
export interface PersonsPull {
  readonly draft: boolean;
  readonly merged: boolean;
  readonly headRef: string;
  readonly headSha: string;
  /** Full name of the head's repository; null when it was deleted. */
  readonly headRepository: string | null;
  readonly baseRef: string;
}

export type DomainEvent = Base &
  (
    | {
        readonly type: "issue_opened";
        readonly issue: IssueFacts;
      }
    | ({
        readonly type: "issue_labeled";
        readonly issue: IssueFacts;
        readonly label: string;
        /** Our own App set the label. */
        readonly own: boolean;
        /** The issue's author has the permission. */
        readonly authorPermitted: boolean;
      } & PullsOfPeople)
    | {
        readonly type: "issue_unlabeled";
        readonly issue: IssueFacts;
        readonly label: string;
        readonly own: boolean;
      }
    | {
        readonly type: "issue_closed";
        readonly issue: IssueFacts;
        /** A merged pull request of ours for this issue, as the API reported it then. */
        readonly mergedPull: { readonly number: number; readonly commit: string | null } | null;
      }
    | ({ readonly type: "issue_reopened"; readonly issue: IssueFacts } & PullsOfPeople)
    | { readonly type: "issue_assigned"; readonly issue: IssueFacts; readonly assignee: Account }
    | {
        readonly type: "issue_gone";
        readonly issue: IssueFacts;
        /** The issue's new address, as `owner/name#number`; null when it was deleted. */
        readonly to: string | null;
      }
    | {
        /** The milestone of the issue was set, changed or removed: `issue.milestone` is the present one. */
        readonly type: "issue_milestoned";
        readonly issue: IssueFacts;
      }
    | {
        readonly type: "milestone_changed";
        /** As it is now, or as it was when it was deleted. */
        readonly milestone: Milestone;
        readonly change: "edited" | "closed" | "deleted";
      }
    | { readonly type: "issue_locked"; readonly issue: IssueFacts; readonly locked: boolean }
    | {
        readonly type: "issue_edited";
        readonly issue: IssueFacts;
        /** Title and text before the edit. */
        readonly was: { readonly title: string; readonly body: string };
      }
    | {
        readonly type: "blocker_changed";
        readonly issue: IssueFacts;
        /** The issue that began or ceased to block this one. */
        readonly blocker: IssueRef;
        readonly added: boolean;
        /** Our own App did it. */
        readonly own: boolean;
      }
    | {
        readonly type: "part_changed";
        /** The parent. */
        readonly issue: IssueFacts;
        readonly part: IssueRef;
        readonly added: boolean;
      }
    | ({
        readonly type: "commented";
        /** The issue of the comment; for a comment on one of our pull requests, that request's issue. */
        readonly issue: IssueFacts;
        readonly commentId: number;
        /** `issue` = a comment of the issue or pull request itself; `review` = one at a line of a pull request. */
        readonly place: "issue" | "review";
        readonly url: string;
        readonly body: string;
        /** Null for a comment without a command. */
        readonly command: Command | null;
        /** The comment mentions the App. */
        readonly mention: boolean;
        /** The pull request of a person whose comment it is, for a command or a mention there; `issue` is that pull request. */
        readonly theirs?: PersonsPull;
      } & PullsOfPeople)
    | {
        /** Something happened to a pull request that is not ours. */
        readonly type: "persons_pull";
        /** The pull request: GitHub numbers both alike. */
        readonly issue: IssueFacts;
        readonly theirs: PersonsPull;
        /** `ready` = it is no draft any more; `pushed` = its head moved. */
        readonly happened: "opened" | "ready" | "labeled" | "pushed" | "closed";
        /** The label that was put. */
        readonly label: string | null;
      }
    | {
        /** Somebody else edited a comment of ours: ticking a box is such an edit. */
        readonly type: "comment_edited";
        readonly issue: IssueFacts;
        readonly commentId: number;
        readonly url: string;
        /** The text after the edit. */
        readonly body: string;
      }
    | {
        readonly type: "pull_closed";
        readonly pull: number;
        readonly headRef: string;
        readonly merged: boolean;
        readonly mergeCommit: string | null;
        /** Our own App did it. */
        readonly own: boolean;
      }
    | {
        /** Our pull request that proposes the repository's file, or a lesson, was closed. */
        readonly type: "proposal_closed";
        readonly pull: number;
        readonly headRef: string;
        readonly merged: boolean;
      }
    | {
        readonly type: "pushed";
        readonly headRef: string;
        /** The branch's head now; null when the branch was deleted. */
        readonly tip: string | null;
      }
    | {
        /** Commits or pull requests were reverted on a branch that work goes to; the engine finds out whether they are ours. */
        readonly type: "reverted";
        readonly commits: readonly string[];
        readonly pulls: readonly number[];
      }
    | { readonly type: "pull_drafted"; readonly pull: number; readonly headRef: string }
    | { readonly type: "pull_ready"; readonly pull: number; readonly headRef: string }
    | {
        readonly type: "checks_changed";
        readonly commit: string;
      }
    | {
        readonly type: "reviewed";
        readonly pull: number;
        readonly headRef: string;
        /**
         * How the pull request has ended, null while it is open. For a request for changes, as it was when the event
         * was read.
         */
        readonly ended: "merged" | "closed" | null;
        /** Identifies the review, or the comment at a line: it wakes an agent once, whichever delivery reports it. */
        readonly source: string;
        readonly verdict: "approved" | "changes_requested" | "commented";
        /** The commit that was reviewed; null for a comment at a line, and where GitHub does not say. */
        readonly reviewedCommit: string | null;
        readonly body: string;
        readonly url: string;
      }
    | {
        /** A review was dismissed, by its reviewer or by somebody with permission. */
        readonly type: "review_dismissed";
        readonly pull: number;
        readonly headRef: string;
        readonly reviewer: Account;
        /** The commit that was reviewed; null where GitHub does not say. */
        readonly reviewedCommit: string | null;
      }
  );

export type DomainEventOf<T extends DomainEvent["type"]> = Extract<DomainEvent, { type: T }>;

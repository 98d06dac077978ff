import type { IssueRef } from "../blockers/blockers.ts";
import type { Command } from "../commands/command.ts";
import type { RepositoryRow } from "../kernel/rows.ts";
import type { Milestone } from "../planning/milestone.ts";
import type { GitHubIssue } from "../ports/github.ts";
import type { Account } from "./account.ts";

/**
 * What happened on GitHub, in our language, with everything that a decision needs: who did it and whether they may
 * steer was looked up when the delivery was handled. One delivery gives one event, or is ignored with a reason.
 */
interface Base {
  /** `X-GitHub-Delivery` of the delivery that told us; synthetic ones have their own. */
  readonly delivery: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly repository: RepositoryRow;
  /** `sender` of the event. */
  readonly actor: Account;
  /** The actor's permission reaches `policy.who_may_command`, or its bot id is on `policy.bots`. False when the look-up failed. */
  readonly permitted: boolean;
  /** Whose permission could not be read and counted as none, with the error. */
  readonly unread?: readonly { readonly login: string; readonly error: string }[];
}

/** What is needed of an issue; made from the payload. */
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

/** Open pull requests that say that they close the issue, and are not ours. */
export interface PullsOfPeople {
  /** Of somebody who may do so here: no coder starts beside it. Null when there is none. */
  readonly personPull: number | null;
  /** Of anybody else, where there is no such; the first few. They hold nothing back. */
  readonly strangersPulls: readonly number[];
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
        /** The label was put by our own App. */
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
        /** A merged pull request of ours for this issue, as the API said at that moment. */
        readonly mergedPull: { readonly number: number; readonly commit: string | null } | null;
      }
    | ({ readonly type: "issue_reopened"; readonly issue: IssueFacts } & PullsOfPeople)
    | { readonly type: "issue_assigned"; readonly issue: IssueFacts; readonly assignee: Account }
    | {
        readonly type: "issue_gone";
        readonly issue: IssueFacts;
        /** Where it went, as `owner/name#number`; null when it was deleted. */
        readonly to: string | null;
      }
    | {
        /** It was given a milestone, another one or none any more: `issue.milestone` is the present one. */
        readonly type: "issue_milestoned";
        readonly issue: IssueFacts;
      }
    | {
        readonly type: "milestone_changed";
        /** As it is now, or was when it was deleted. */
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
        /** What blocks the issue from now on, or does not any more. */
        readonly blocker: IssueRef;
        readonly added: boolean;
        /** It was our own App. */
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
        /** The issue that it is about; for a comment on one of our pull requests, that request's issue. */
        readonly issue: IssueFacts;
        readonly commentId: number;
        /** Whose comment it is: the issue's or pull request's own, or one at a line of a pull request. */
        readonly place: "issue" | "review";
        readonly url: string;
        readonly body: string;
        /** Null for a comment that gives no command. */
        readonly command: Command | null;
        /** It names the App. */
        readonly mention: boolean;
      } & PullsOfPeople)
    | {
        /** Of our own, by somebody else: boxes are ticked so. */
        readonly type: "comment_edited";
        readonly issue: IssueFacts;
        readonly commentId: number;
        readonly url: string;
        /** As it stands after the edit. */
        readonly body: string;
      }
    | {
        readonly type: "pull_closed";
        readonly pull: number;
        readonly headRef: string;
        readonly merged: boolean;
        readonly mergeCommit: string | null;
        /** It was our own App. */
        readonly own: boolean;
      }
    | {
        /** Our pull request that proposes the repository's file. */
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
        /** Commits or pull requests were taken back on the default branch; whether they are ours is to be seen. */
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
        /** How the pull request has ended, null while it is open. A request for changes tells it as it is when it is read. */
        readonly ended: "merged" | "closed" | null;
        /** What was written, a review or a comment at a line: it wakes once, whoever tells of it. */
        readonly source: string;
        readonly verdict: "approved" | "changes_requested" | "commented";
        /** The commit that was reviewed; null for a comment at a line, and where GitHub does not say. */
        readonly reviewedCommit: string | null;
        readonly body: string;
        readonly url: string;
      }
    | {
        /** A review was taken back, by its reviewer or by somebody who may. */
        readonly type: "review_dismissed";
        readonly pull: number;
        readonly headRef: string;
        readonly reviewer: Account;
        /** The commit that was reviewed; null where GitHub does not say. */
        readonly reviewedCommit: string | null;
      }
  );

export type DomainEventOf<T extends DomainEvent["type"]> = Extract<DomainEvent, { type: T }>;

import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { personNamed } from "../status/person-named.ts";
import { isOfWork, type TaskRecord } from "../tasks/task-record.ts";
import { afterRejection, type CoderReview, rejects } from "./on-rejection.ts";
import { isSameReviewer, personAs, type Reviewer } from "./reviewer.ts";

/** What follows from each event of a review by a person. */
export const REVIEW_HANDLERS = {
  reviewed: onReviewed,
  review_dismissed: onReviewDismissed,
};

/**
 * Handles a person's review like an agent's. A request for changes of the work under review rejects it, approved or
 * not, and reopens finished work; an approval of its commit approves it. Any other review wakes the coder.
 */
function onReviewed(event: DomainEventOf<"reviewed">, view: IssueState): ChangeSet {
  const owner = view.agents.findLast((agent) => agent.branch === event.headRef);
  const by = event.actor.login;
  if (owner === undefined) return decisionOnly("not_ours", `#${event.pull} is not a pull request of ours`);
  if (!event.permitted) return decisionOnly("not_permitted", `@${by} has no write permission`);
  if (isOfEarlier(event, view)) return ofEarlier(event, owner, `the review by @${by}`);
  if (event.ended !== null) return onEndedPull({ ...event, ended: event.ended }, owner, view);
  const { task } = view;
  if (event.verdict === "approved" && task?.state === "READY_FOR_REVIEW")
    return approves(event, view, { owner, task });
  // Also for an earlier commit: approvals stay with the work when Flotilla updates its branch.
  if (event.verdict === "approved" && task?.state === "APPROVED")
    return decisionOnly("nothing_to_do", `the work that @${by} approved is approved`, {
      agentId: owner.id,
    });
  const words = event.verdict.replace("_", " ");
  const detail = `@${by} reviewed #${event.pull}: ${words}. ${event.body}`.trim();
  const review = { ...event, by, detail, owner };
  if (event.verdict === "changes_requested") {
    const { reviewedCommit: commit } = event;
    const isUp = task !== null && ["READY_FOR_REVIEW", "APPROVED"].includes(task.state);
    return isUp && !isOfWork(task, commit)
      ? ofOtherCommit(review, { reviewed: commit, now: task.reviewCommit }, view)
      : afterRejection(review, view, rejects(review, view, { commit, account: event.actor.id }));
  }
  if (isLive(owner)) return afterRejection(review, view, []);
  return decisionOnly("nothing_to_do", `${owner.name} is ${owner.state}, the review says ${words}`, {
    agentId: owner.id,
  });
}

/**
 * Handles a request for changes of a commit that is no longer under review: it may be outdated, so nothing is rejected.
 * Its author gets a comment, and a coder that has not ended reads the review.
 */
function ofOtherCommit(
  review: CoderReview & { readonly pull: number },
  { reviewed, now }: { readonly reviewed: string | null; readonly now: string | null },
  view: IssueState,
): ChangeSet {
  const { owner, by, pull } = review;
  const which = `${short(reviewed)} of #${pull}, under review is ${short(now)}`;
  const detail = `${review.detail}\n\nThis is about ${short(reviewed)}; under review is ${short(now)}.`;
  const told = isLive(owner) ? afterRejection({ ...review, detail }, view, []) : NO_CHANGES;
  const heard = isLive(owner)
    ? `${owner.name} reads it`
    : `${owner.name} is ${owner.state} and does not read it`;
  return mergeChanges(
    told,
    decisionOnly("other_commit", `@${by} asked for changes in ${which}: it rejects nothing, ${heard}`, {
      agentId: owner.id,
      shown: true,
      change: "look at the newest commit and ask for changes there",
    }),
  );
}

/**
 * Returns whether the pull request is that of an earlier attempt, while the coder that has the task now works on
 * another branch.
 */
export function isOfEarlier(
  { headRef }: Pick<DomainEventOf<"reviewed">, "headRef">,
  { agents, task }: Pick<IssueState, "agents" | "task">,
): boolean {
  const branch = agents.find(({ id }) => id === task?.assigneeId)?.branch ?? null;
  return branch !== null && branch !== headRef;
}

function ofEarlier({ pull }: { readonly pull: number }, owner: AgentRecord, what: string): ChangeSet {
  return decisionOnly("nothing_to_do", `#${pull} is of an earlier attempt: ${what} changes nothing`, {
    agentId: owner.id,
    shown: true,
    change: "review the pull request of the present attempt",
  });
}

const logins = (people: readonly Reviewer[]) => people.map(({ reviewer }) => `@${reviewer}`).join(" and ");

const short = (sha: string | null) => (sha === null ? "no commit" : sha.slice(0, 7));

/** Approves the work. Its coder stays asleep until the merge: there is nothing for it to do. */
function approves(
  { at, actor, reviewedCommit: commit, pull }: DomainEventOf<"reviewed">,
  { settings, pushers, rejectedBy }: IssueState,
  { owner, task }: { readonly owner: AgentRecord; readonly task: TaskRecord },
): ChangeSet {
  const about = { agentId: owner.id, shown: true };
  const person = personAs(actor);
  const { reviewer } = person;
  if (commit === null || commit !== task.reviewCommit)
    return decisionOnly(
      "other_commit",
      `@${reviewer} approved ${short(commit)} of #${pull}, under review is ${short(task.reviewCommit)}: it counts for nothing`,
      { ...about, change: "look at the newest commit and approve it" },
    );
  if (pushers.includes(actor.id))
    return decisionOnly("own_work", `@${reviewer} pushed to #${pull}, and nobody approves their own work`, {
      ...about,
      change: "let somebody else review it",
    });
  const others = rejectedBy.filter((one) => !isSameReviewer(one, person));
  if (others.length > 0)
    return decisionOnly(
      "changes_requested",
      `@${reviewer} approved ${short(commit)} of #${pull}, and ${logins(others)} requested changes of that commit: it counts for nothing`,
      { ...about, change: `let ${logins(others)} approve it or dismiss the request for changes on GitHub` },
    );
  return {
    ...NO_CHANGES,
    moves: [
      {
        machine: "task",
        id: task.id,
        event: {
          at,
          actor: reviewer,
          type: "APPROVE",
          ...person,
          author: owner.name,
          commit,
          reviewers: settings.review.reviewers,
          leaseToken: null,
        },
      },
    ],
    effects: [{ kind: "status_comment" }],
  };
}

/** Drops an approval that its reviewer, or somebody with permission, dismissed. */
function onReviewDismissed(dismissal: DomainEventOf<"review_dismissed">, view: IssueState): ChangeSet {
  const { at, actor, pull, headRef, reviewer } = dismissal;
  const owner = view.agents.findLast((agent) => agent.branch === headRef);
  if (owner === undefined) return decisionOnly("not_ours", `#${pull} is not a pull request of ours`);
  if (isOfEarlier(dismissal, view))
    return ofEarlier(dismissal, owner, `that a review by @${reviewer.login} was dismissed`);
  const { task } = view;
  const person = personAs(reviewer);
  if (view.rejectedBy.some((one) => isSameReviewer(one, person)))
    return {
      ...decisionOnly(
        "nothing_to_do",
        `the request for changes by @${reviewer.login} does not stand any more`,
        {
          agentId: owner.id,
        },
      ),
      // An approval that the dismissed review held back may count now.
      effects: [{ kind: "look_at_issue" }, { kind: "status_comment" }],
    };
  const stands = task?.verdicts.some((verdict) => isSameReviewer(verdict, person)) ?? false;
  if (task === null || task.reviewCommit === null || !stands)
    return decisionOnly("nothing_to_do", `no approval by @${reviewer.login} counts for #${pull}`, {
      agentId: owner.id,
    });
  const event = {
    at,
    actor: actor.login,
    type: "NEW_COMMIT",
    commit: task.reviewCommit,
    dismissed: person,
  } as const;
  return {
    ...NO_CHANGES,
    moves: [{ machine: "task", id: task.id, event }],
    effects: [{ kind: "status_comment" }],
  };
}

type Late = DomainEventOf<"reviewed"> & { readonly ended: "merged" | "closed" };

/**
 * Handles a review of a merged or closed pull request: it changes nothing, and a person who requests changes reads how
 * to get them.
 */
function onEndedPull(review: Late, { id: agentId }: AgentRecord, { issue, agents }: IssueState): ChangeSet {
  const { pull, headRef, ended, verdict, actor } = review;
  const by = personNamed(actor.login);
  const how = ended === "merged" ? "is merged" : "was closed without a merge";
  const later = agents.find((agent) => agent.coder && isLive(agent) && agent.branch !== headRef);
  const change =
    later !== undefined
      ? `say it in a comment on #${issue} that mentions Flotilla: ${later.name} reads it`
      : ended === "merged"
        ? `open a new issue for what should change, or reopen #${issue}: an agent then starts again on a new branch`
        : `say \`/flotilla start\` on #${issue} (reopen it first if it is closed): an agent then starts again on a new branch`;
  const noted = decisionOnly("pull_over", `#${pull} ${how}: the review by ${by} changes nothing`, {
    agentId,
    change,
  });
  if (verdict !== "changes_requested") return noted;
  const body = `${by} #${pull} ${how}, so your request for changes has no effect on it.\n\nInstead: ${change}.`;
  // However often a person repeats it, they get one answer.
  const name = `answer-over-${pull}-${ended}-${actor.id}`;
  return mergeChanges(noted, { ...NO_CHANGES, effects: [{ kind: "post_comment", name, body }] });
}

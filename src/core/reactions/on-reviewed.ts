import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import type { TaskRecord } from "../machines/task.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, NOTHING, type Reaction, type View } from "../reaction.ts";
import { isSameReviewer, personAs, type Reviewer } from "../review/reviewer.ts";
import { onEndedPull } from "./on-ended-pull.ts";
import { afterRejection, rejects, type ToldReview } from "./on-rejection.ts";

/**
 * A person's review, which counts like an agent's: a request for changes of the commit under review rejects it, approved
 * or not, and reopens finished work, an approval of the commit under review approves it. Anything else that is said wakes the owner.
 */
export function onReviewed(occurrence: OccurrenceOf<"reviewed">, view: View): Reaction {
  const owner = view.agents.findLast((agent) => agent.branch === occurrence.headRef);
  const by = occurrence.actor.login;
  if (owner === undefined) return decided("not_ours", `#${occurrence.pull} is not a pull request of ours`);
  if (!occurrence.permitted) return decided("not_permitted", `@${by} has no write permission`);
  if (isOfEarlier(occurrence, view)) return ofEarlier(occurrence, owner, `the review by @${by}`);
  if (occurrence.ended !== null) return onEndedPull({ ...occurrence, ended: occurrence.ended }, owner, view);
  const { task } = view;
  if (occurrence.verdict === "approved" && task?.state === "READY_FOR_REVIEW")
    return approves(occurrence, view, { owner, task });
  if (occurrence.verdict === "approved" && approvedBefore(occurrence, task))
    return decided("nothing_to_do", `the commit that @${by} approved is approved`, { agentId: owner.id });
  const words = occurrence.verdict.replace("_", " ");
  const detail = `@${by} reviewed #${occurrence.pull}: ${words}. ${occurrence.body}`.trim();
  const review = { ...occurrence, by, detail, owner };
  if (occurrence.verdict === "changes_requested") {
    const { reviewedCommit: commit } = occurrence;
    const isUp = task !== null && ["READY_FOR_REVIEW", "APPROVED"].includes(task.state);
    return isUp && commit !== task.reviewCommit
      ? ofOtherCommit(review, { reviewed: commit, now: task.reviewCommit }, view)
      : afterRejection(review, view, rejects(review, view, { commit, account: occurrence.actor.id }));
  }
  if (isLive(owner)) return afterRejection(review, view, []);
  return decided("nothing_to_do", `${owner.name} is ${owner.state}, the review says ${words}`, {
    agentId: owner.id,
  });
}

/**
 * Changes are asked for in a commit that is not under review any more, so that nobody knows whether they are still wanted:
 * nothing is rejected. Flotilla tells its author so, and a coder that has not ended reads the review.
 */
function ofOtherCommit(
  review: ToldReview & { readonly pull: number },
  { reviewed, now }: { readonly reviewed: string | null; readonly now: string | null },
  view: View,
): Reaction {
  const { owner, by, pull } = review;
  const which = `${short(reviewed)} of #${pull}, under review is ${short(now)}`;
  const detail = `${review.detail}\n\nThis is about ${short(reviewed)}; under review is ${short(now)}.`;
  const told = isLive(owner) ? afterRejection({ ...review, detail }, view, []) : NOTHING;
  const heard = isLive(owner)
    ? `${owner.name} reads it`
    : `${owner.name} is ${owner.state} and does not read it`;
  return joined(
    told,
    decided("other_commit", `@${by} asked for changes in ${which}: it rejects nothing, ${heard}`, {
      agentId: owner.id,
      shown: true,
      change: "look at the newest commit and ask for changes there",
    }),
  );
}

/** Whether the pull request is that of an earlier attempt, while the coder that has the task now works on another branch. */
export function isOfEarlier(
  { headRef }: Pick<OccurrenceOf<"reviewed">, "headRef">,
  { agents, task }: Pick<View, "agents" | "task">,
): boolean {
  const branch = agents.find(({ id }) => id === task?.assigneeId)?.branch ?? null;
  return branch !== null && branch !== headRef;
}

function ofEarlier({ pull }: { readonly pull: number }, owner: AgentRecord, what: string): Reaction {
  return decided("nothing_to_do", `#${pull} is of an earlier attempt: ${what} changes nothing`, {
    agentId: owner.id,
    shown: true,
    change: "review the pull request of the present attempt",
  });
}

/** Another approval of it wakes nobody. */
const approvedBefore = ({ reviewedCommit }: OccurrenceOf<"reviewed">, task: TaskRecord | null) =>
  task?.state === "APPROVED" && task.reviewCommit === reviewedCommit;

const logins = (people: readonly Reviewer[]) => people.map(({ reviewer }) => `@${reviewer}`).join(" and ");

const short = (sha: string | null) => (sha === null ? "no commit" : sha.slice(0, 7));

/** Its coder stays asleep until the merge: there is nothing for it to do. */
function approves(
  { at, actor, reviewedCommit: commit, pull }: OccurrenceOf<"reviewed">,
  { settings, pushers, rejectedBy }: View,
  { owner, task }: { readonly owner: AgentRecord; readonly task: TaskRecord },
): Reaction {
  const about = { agentId: owner.id, shown: true };
  const person = personAs(actor);
  const { reviewer } = person;
  if (commit === null || commit !== task.reviewCommit)
    return decided(
      "other_commit",
      `@${reviewer} approved ${short(commit)} of #${pull}, under review is ${short(task.reviewCommit)}: it counts for nothing`,
      { ...about, change: "look at the newest commit and approve it" },
    );
  if (pushers.includes(actor.id))
    return decided("own_work", `@${reviewer} pushed to #${pull}, and nobody approves their own work`, {
      ...about,
      change: "let somebody else review it",
    });
  const others = rejectedBy.filter((one) => !isSameReviewer(one, person));
  if (others.length > 0)
    return decided(
      "changes_requested",
      `@${reviewer} approved ${short(commit)} of #${pull}, and ${logins(others)} requested changes of that commit: it counts for nothing`,
      { ...about, change: `let ${logins(others)} approve it or dismiss the request for changes on GitHub` },
    );
  return {
    ...NOTHING,
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

/** An approval that its reviewer, or somebody who may, took back does not count any more. */
export function onReviewDismissed(occurrence: OccurrenceOf<"review_dismissed">, view: View): Reaction {
  const { at, actor, pull, headRef, reviewer } = occurrence;
  const owner = view.agents.findLast((agent) => agent.branch === headRef);
  if (owner === undefined) return decided("not_ours", `#${pull} is not a pull request of ours`);
  if (isOfEarlier(occurrence, view))
    return ofEarlier(occurrence, owner, `that a review by @${reviewer.login} was dismissed`);
  const { task } = view;
  const person = personAs(reviewer);
  if (view.rejectedBy.some((one) => isSameReviewer(one, person)))
    return {
      ...decided("nothing_to_do", `the request for changes by @${reviewer.login} does not stand any more`, {
        agentId: owner.id,
      }),
      // An approval that it held back may count now.
      effects: [{ kind: "look_at_issue" }, { kind: "status_comment" }],
    };
  const stands = task?.verdicts.some((verdict) => isSameReviewer(verdict, person)) ?? false;
  if (task === null || task.reviewCommit === null || !stands)
    return decided("nothing_to_do", `no approval by @${reviewer.login} counts for #${pull}`, {
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
    ...NOTHING,
    moves: [{ machine: "task", id: task.id, event }],
    effects: [{ kind: "status_comment" }],
  };
}

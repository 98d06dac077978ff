import { cancel } from "../agents/agent-changes.ts";
import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { shortCommit } from "../messages/commit-link.ts";
import type { Settings } from "../settings/settings.ts";
import { type AskedReview, endsStale, isReviewOf, reviewPull } from "./review-pull.ts";

type Happened = DomainEventOf<"persons_pull">;

/** What follows from what happens to a person's pull request; its commands are in `on-pull-command.ts`. */
export function onPersonsPull(event: Happened, view: IssueState): ChangeSet {
  if (event.happened === "closed") return onClosed(event, view);
  const mayAsk = isAsked(event, view.settings);
  const isCoded = view.agents.some((agent) => isLive(agent) && agent.coder);
  if (event.happened === "pushed" && (isCoded || !(mayAsk && event.permitted))) return onPushed(event, view);
  if (!mayAsk) return decisionOnly("nobody_concerned", `nothing asks for a review of #${view.issue}`);
  if (!event.permitted)
    return decisionOnly("not_permitted", `@${event.actor.login} has no write permission here`, {
      change: "a person with write permission says `/flotilla review`",
    });
  return reviewPull(view, askedBy(event));
}

/** Returns what the event asks for, where it asks for a review. */
export function askedBy(
  event: Pick<Happened, "at" | "actor" | "issue" | "theirs">,
  words: string | null = null,
): AskedReview {
  const { at, actor, theirs, issue } = event;
  return { at, actor: actor.login, theirs, state: issue.state, locked: issue.locked, words };
}

/** Returns whether the event asks for a review by `review.people`, whoever did it. */
export function isAsked(
  {
    happened,
    label,
    theirs,
    issue,
  }: Pick<Happened, "happened" | "label" | "theirs"> & {
    readonly issue: Pick<Happened["issue"], "labels">;
  },
  { review }: Pick<Settings, "review">,
): boolean {
  if (review.people === "asked") return false;
  const isWanted = (name: string | null) => name?.toLowerCase() === review.label.toLowerCase();
  if (happened === "labeled") return isWanted(label);
  if (theirs.draft) return false;
  return review.people === "opened" || (happened === "pushed" && issue.labels.some(isWanted));
}

/** Ends a review of the earlier head, or says that the one there is is of an earlier head. */
function onPushed(event: Happened, view: IssueState): ChangeSet {
  const { theirs, at, actor } = event;
  const coder = view.agents.find(
    (agent) => isLive(agent) && agent.coder && agent.branch === theirs.headRef && agent.state !== "ESCALATED",
  );
  if (coder !== undefined) return pausesCoder(event, coder);
  const ended = endsStale(view.agents, { at, actor: actor.login, theirs });
  const last = view.agents.findLast((agent) => isReviewOf(agent) && agent.state === "COMPLETED");
  if (ended.length === 0 && (last === undefined || last.headCommit === theirs.headSha))
    return decisionOnly("nobody_concerned", `nobody has reviewed #${view.issue}`);
  const stale = decisionOnly(
    "review_stale",
    `@${actor.login} pushed ${shortCommit(theirs.headSha)} to #${view.issue}, which no review covers`,
    { change: "say `/flotilla review`, which asks for another", shown: true },
  );
  return mergeChanges({ ...NO_CHANGES, moves: ended, effects: [{ kind: "status_comment" }] }, stale);
}

/** Pauses a coder whose branch somebody pushed to, because only one of them may write to it. */
function pausesCoder({ at, actor, theirs }: Happened, { id }: AgentRecord): ChangeSet {
  const why = `@${actor.login} pushed ${shortCommit(theirs.headSha)} to its branch \`${theirs.headRef}\``;
  return mergeChanges(
    {
      ...NO_CHANGES,
      moves: [
        {
          machine: "agent",
          id,
          event: { type: "PAUSE", at, actor: actor.login, holder: "commit", why },
        },
      ],
    },
    decisionOnly("foreign_commit", why, {
      agentId: id,
      inputs: { by: actor.login, id: actor.id },
      change: "`/flotilla resume` lets it continue on top of that, `/flotilla cancel` ends it",
      shown: true,
    }),
  );
}

function onClosed(event: Happened, view: IssueState): ChangeSet {
  const live = view.agents.filter(isLive);
  if (live.length === 0) return decisionOnly("nobody_concerned", `no agent works on #${view.issue}`);
  const why = `#${view.issue} was ${event.theirs.merged ? "merged" : "closed"}`;
  return { ...NO_CHANGES, moves: live.map((agent) => cancel(event, agent, why)) };
}

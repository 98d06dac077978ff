import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { newAgentOf } from "../agents/start-role.ts";
import type { PersonsPull } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { shortCommit } from "../messages/commit-link.ts";
import { refusedOnPull } from "../tasks/refused-on-pull.ts";
import { reviewerRoles } from "./review-due.ts";

/** What a review of a person's pull request is asked of, by whom. */
export interface AskedReview {
  readonly at: number;
  readonly actor: string;
  readonly theirs: PersonsPull;
  /** Whether the pull request is open, and people may comment on it. */
  readonly state: "open" | "closed";
  readonly locked: boolean;
  /** What the person tells the reviewer; null = nothing. */
  readonly words: string | null;
}

/**
 * Starts the first role that reviews, on the head of a person's pull request: one agent at a time. `view` is that of the pull
 * request. A reviewer at work on an earlier head ends.
 */
export function reviewPull(view: IssueState, asked: AskedReview): ChangeSet {
  const { at, actor, theirs, words } = asked;
  const unfit = refusedOnPull(view, {
    ...asked,
    command: "/flotilla review",
    afterMerge: "nothing: there is nothing left to review",
  });
  if (unfit !== null) return unfit;
  const [role] = reviewerRoles(view.settings);
  if (role === undefined)
    return decisionOnly("no_role", "no role reviews here", {
      change: "have a role with `evidence: verdict` and the trigger `task.ready_for_review` configured",
      shown: true,
    });
  const ended = view.agents.filter(
    (agent) => isReviewOf(agent) && (isStale(agent, theirs) || agent.state === "ESCALATED"),
  );
  const live = view.agents.find((agent) => isLive(agent) && !ended.includes(agent));
  if (live !== undefined)
    return decisionOnly("rival", `${live.name} already works on #${view.issue} (${live.state})`, {
      agentId: live.id,
      change: "it continues; `/flotilla cancel` ends it",
      shown: true,
    });
  const created: Move = {
    machine: "agent",
    id: null,
    event: {
      type: "CREATE",
      at,
      actor,
      newAgent: {
        ...newAgentOf(role, view, at, { branch: null, prNumber: view.issue }),
        headCommit: theirs.headSha,
      },
      entry: { assignedTo: null },
      ...(words === null ? {} : { words }),
    },
  };
  return { ...NO_CHANGES, moves: [...ends(ended, asked, "another review was asked for"), created] };
}

/** Returns whether the agent reviews the pull request that it works on, or did. */
export function isReviewOf(agent: Pick<AgentRecord, "coder">): boolean {
  return !agent.coder;
}

function isStale(agent: AgentRecord, { headSha }: PersonsPull): boolean {
  return isLive(agent) && agent.headCommit !== headSha;
}

/** Returns the moves that end reviews of an earlier head. */
export function endsStale(
  agents: readonly AgentRecord[],
  { at, actor, theirs }: Pick<AskedReview, "at" | "actor" | "theirs">,
): readonly Move[] {
  const why = `${shortCommit(theirs.headSha)} was pushed: this review was of an earlier commit`;
  return ends(
    agents.filter((agent) => isReviewOf(agent) && isStale(agent, theirs)),
    { at, actor },
    why,
  );
}

function ends(
  agents: readonly AgentRecord[],
  { at, actor }: Pick<AskedReview, "at" | "actor">,
  why: string,
): readonly Move[] {
  return agents.map(({ id }) => ({
    machine: "agent",
    id,
    event: { type: "CANCEL", at, actor, why, quiet: true },
  }));
}

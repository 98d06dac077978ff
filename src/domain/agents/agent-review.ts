import { type GuardRefusal, no } from "../kernel/state-machine.ts";
import type { AgentEmission } from "./agent-emission.ts";
import type { GuardContext } from "./agent-event.ts";
import type { AgentRecord } from "./agent-record.ts";

interface When {
  readonly at: number;
  readonly actor: string;
}

/** Refuses to start a reviewer unless a review is due that no other reviewer holds. */
export function mayReview({ review }: GuardContext): true | GuardRefusal {
  return typeof review === "string" ? no("no_review", review) : true;
}

/** Claims the lease of the review for a reviewer that starts. */
export function claimsReview(
  agent: AgentRecord,
  { at, actor, around: { review } }: When & { readonly around: GuardContext },
): readonly AgentEmission[] {
  if (review === null || typeof review === "string") return [];
  const { taskId, authorId, leaseMs } = review;
  const event = {
    type: "CLAIM",
    at,
    actor,
    taskId,
    authorId,
    holderId: agent.id,
    leaseUntil: at + leaseMs,
  } as const;
  return [{ machine: "review_lease", event }];
}

/** Releases the lease of a reviewer that ends, if it holds one; a reviewer has one run. */
export function freesReview(agent: AgentRecord, { at, actor }: When, why: string): readonly AgentEmission[] {
  return agent.ephemeral ? [{ machine: "review_lease", event: { type: "EXPIRE", at, actor, why } }] : [];
}

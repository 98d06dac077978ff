import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import { isProposalBranch } from "../../domain/onboarding/proposed.ts";
import type { ParseContext } from "./parsing.ts";

/** What became of our pull request that proposes the repository's file; undefined for every other one. */
export function proposalClosed(
  pull: {
    number: number;
    headRef: string;
    headRepositoryId: number | null;
    authorId: number | null;
    merged: boolean;
  },
  { base, tools }: ParseContext,
): DomainEventOf<"proposal_closed"> | undefined {
  const ours =
    pull.headRepositoryId === base.repository.id &&
    pull.authorId === tools.identity.botId &&
    isProposalBranch(pull.headRef);
  if (!ours) return undefined;
  const { number, headRef, merged } = pull;
  // Whoever did it could do it: GitHub asks for the permission.
  return { ...base, permitted: false, type: "proposal_closed", pull: number, headRef, merged };
}

import { z } from "zod";
import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import { isProposalBranch } from "../../domain/onboarding/proposed.ts";
import { branchIssue } from "../../domain/tasks/branch-name.ts";
import { pullRequestShape } from "../payload.ts";
import { revertedBy } from "./commits.ts";
import { type Ignored, type ParseContext, parser, type WebhookParsers, withPermission } from "./parsing.ts";

const pullAlone = z.object({ pull_request: pullRequestShape });

/** Readers of events of the pull request itself. */
export const PULL_REQUEST_EVENTS = {
  "pull_request.closed": parser(
    pullAlone,
    async ({ pull_request: pull }, context) =>
      proposalClosed(pull, context) ??
      (pull.merged ? revertedBy([pull.body], context) : undefined) ??
      notOurPull(pull, context) ?? {
        ...(await withPermission(context)),
        type: "pull_closed",
        pull: pull.number,
        headRef: pull.headRef,
        merged: pull.merged,
        mergeCommit: pull.merged ? pull.mergeCommit : null,
        own: context.own,
      },
  ),

  "pull_request.converted_to_draft": parser(
    pullAlone,
    async ({ pull_request: pull }, context) =>
      notOurPull(pull, context) ?? {
        ...(await withPermission(context)),
        type: "pull_drafted",
        pull: pull.number,
        headRef: pull.headRef,
      },
  ),

  /** The sender does not matter: GitHub checks the permission, and only what is due anyway follows. */
  "pull_request.ready_for_review": parser(
    pullAlone,
    async ({ pull_request: pull }, context) =>
      notOurPull(pull, context) ?? {
        ...context.base,
        permitted: false,
        type: "pull_ready",
        pull: pull.number,
        headRef: pull.headRef,
      },
  ),
} satisfies WebhookParsers;

/**
 * Returns the event of a closed proposal of the repository's config; undefined for any other pull request.
 */
function proposalClosed(
  pull: z.output<typeof pullRequestShape>,
  { base, tools }: ParseContext,
): DomainEventOf<"proposal_closed"> | undefined {
  const ours =
    pull.headRepositoryId === base.repository.id &&
    pull.authorId === tools.identity.botId &&
    isProposalBranch(pull.headRef);
  if (!ours) return undefined;
  const { number, headRef, merged } = pull;
  // GitHub has checked the sender's permission.
  return { ...base, permitted: false, type: "proposal_closed", pull: number, headRef, merged };
}

/**
 * Returns why a pull request is not ours; undefined for one from a branch of ours in the repository itself.
 */
export function notOurPull(
  pull: Pick<z.output<typeof pullRequestShape>, "number" | "headRef" | "headRepositoryId">,
  { base, tools }: ParseContext,
): Ignored | undefined {
  const ours =
    pull.headRepositoryId === base.repository.id &&
    branchIssue(tools.settings.branches, pull.headRef) !== undefined;
  return ours ? undefined : { ignored: `#${pull.number} is not from a branch of ours` };
}

/** Returns how a pull request has ended; null while it is open. */
export function endOf(pull: {
  readonly merged: boolean;
  readonly closed: boolean;
}): DomainEventOf<"reviewed">["ended"] {
  if (pull.merged) return "merged";
  return pull.closed ? "closed" : null;
}

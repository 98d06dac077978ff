import { z } from "zod";
import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import { isLessonBranch } from "../../domain/lessons/lesson-line.ts";
import { isProposalBranch } from "../../domain/onboarding/proposed.ts";
import { isAsked } from "../../domain/review/on-persons-pull.ts";
import { branchIssue } from "../../domain/tasks/branch-name.ts";
import { isEscalationLabel } from "../../domain/tasks/escalation.ts";
import { labelShape, maybeWholeShape, pullRequestShape, wholePullShape } from "../payload.ts";
import { revertedBy } from "./commits.ts";
import {
  type Ignored,
  type ParseContext,
  parser,
  type WebhookParser,
  type WebhookParsers,
  withPermission,
} from "./parsing.ts";

const pullAlone = z.object({ pull_request: pullRequestShape });
const anyPull = z.object({ pull_request: z.intersection(pullRequestShape, maybeWholeShape) });
const wholePull = z.object({ pull_request: wholePullShape });
type WholePull = z.output<typeof wholePullShape>;
type Happened = DomainEventOf<"persons_pull">["happened"];

/** Reads what happens to a pull request only where it is a person's. */
const ofPersons = (happened: Happened): WebhookParser =>
  parser(
    wholePull,
    async ({ pull_request: pull }, context) =>
      (await personsPull(pull, happened, context)) ?? {
        ignored: `#${pull.number} is a pull request of ours`,
      },
  );

/** Readers of events of the pull request itself. */
export const PULL_REQUEST_EVENTS = {
  "pull_request.closed": parser(
    anyPull,
    async ({ pull_request: pull }, context) =>
      proposalClosed(pull, context) ??
      (pull.merged ? revertedBy([pull.body], context) : undefined) ??
      (await personsPull(pull.whole, "closed", context)) ??
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
    anyPull,
    async ({ pull_request: pull }, context) =>
      (await personsPull(pull.whole, "ready", context)) ??
      notOurPull(pull, context) ?? {
        ...context.base,
        permitted: false,
        type: "pull_ready",
        pull: pull.number,
        headRef: pull.headRef,
      },
  ),
  "pull_request.opened": ofPersons("opened"),
  "pull_request.reopened": ofPersons("opened"),
  "pull_request.synchronize": ofPersons("pushed"),
  "pull_request.labeled": parser(
    wholePull.extend({ label: labelShape }),
    async ({ pull_request: pull, label }, context) =>
      (await personsPull(pull, "labeled", context, label.name)) ?? {
        ignored: `#${pull.number} is a pull request of ours`,
      },
  ),

  /** Reads the label of what awaits a person on a person's pull request: taking it off lets an agent there continue. */
  "pull_request.unlabeled": parser(
    wholePull.extend({ label: labelShape }),
    async ({ pull_request: pull, label: { name: label } }, context) => {
      const { own, tools } = context;
      if (isOurs(pull, context)) return { ignored: `#${pull.number} is a pull request of ours` };
      if (own || !isEscalationLabel(label, tools.settings.escalation.label))
        return { ignored: own ? "it is our own" : `the label ${label} says nothing of an agent` };
      const { theirs: _, headRepositoryId: __, ...issue } = pull;
      return { ...(await withPermission(context)), type: "issue_unlabeled", issue, label, own };
    },
  ),
} satisfies WebhookParsers;

/**
 * Returns what happened to a pull request of a person, or why that follows nothing; undefined for one of ours. Somebody's permission
 * is read only where it matters.
 */
async function personsPull(
  pull: WholePull | null,
  happened: Happened,
  context: ParseContext,
  label: string | null = null,
): Promise<DomainEventOf<"persons_pull"> | Ignored | undefined> {
  const { tools, own } = context;
  if (pull === null || isOurs(pull, context)) return undefined;
  if (own) return { ignored: "it is our own" };
  const { theirs, headRepositoryId: _, ...issue } = pull;
  const asks = isAsked({ happened, label, theirs, issue }, tools.settings);
  if (!asks && happened !== "pushed" && happened !== "closed")
    return { ignored: `\`review.people\` asks for no review of #${pull.number} now` };
  const who = asks ? await withPermission(context) : { ...context.base, permitted: false };
  return { ...who, type: "persons_pull", issue, theirs, happened, label };
}

/** Returns whether the pull request is ours: by our App, or from a branch of ours. */
function isOurs(pull: WholePull, context: ParseContext): boolean {
  const { number, headRepositoryId } = pull;
  const { headRef } = pull.theirs;
  return (
    pull.author.id === context.tools.identity.botId ||
    notOurPull({ number, headRef, headRepositoryId }, context) === undefined
  );
}

/**
 * Returns the event of a closed proposal of the repository's config, or of a lesson; undefined for any other pull request.
 */
function proposalClosed(
  pull: z.output<typeof pullRequestShape>,
  { base, tools }: ParseContext,
): DomainEventOf<"proposal_closed"> | undefined {
  const ours =
    pull.headRepositoryId === base.repository.id &&
    pull.authorId === tools.identity.botId &&
    (isProposalBranch(pull.headRef) || isLessonBranch(pull.headRef));
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

import { z } from "zod";
import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { takesWork } from "../../domain/tasks/base-branch.ts";
import { branchIssue } from "../../domain/tasks/branch-name.ts";
import { parseReverts } from "../../domain/tasks/reverts.ts";
import { OWN_ACT } from "./own-act.ts";
import { type ParseContext, parser, type WebhookParser, type WebhookParsers } from "./parsing.ts";

const sha = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

const push = z.object({
  ref: z.string(),
  after: sha,
  deleted: z.boolean(),
  commits: z.array(z.object({ message: z.string() })).optional(),
});

/** Reads a webhook about checks. Its sender does not matter, because the checks are read from GitHub. */
const checksChanged = <S extends z.ZodType>(
  shape: S,
  commitOf: (fields: z.output<S>) => string,
): WebhookParser =>
  parser(shape, async (fields, { base }) => ({
    ...base,
    permitted: false,
    type: "checks_changed",
    commit: commitOf(fields),
  }));

const workflowRun = checksChanged(
  z.object({ workflow_run: z.object({ head_sha: sha }) }),
  ({ workflow_run }) => workflow_run.head_sha,
);

/** GitHub's merge queue took a pull request in or out: what is known of its head is read again. */
const queueChanged = checksChanged(
  z.object({ pull_request: z.object({ head: z.object({ sha }) }) }),
  ({ pull_request }) => pull_request.head.sha,
);

/** Readers of changes to branches and of CI results. */
export const COMMIT_EVENTS = {
  /**
   * Reads another account's push to an agent's branch. Permission does not matter: nobody's commits are
   * overwritten.
   */
  push: parser(push, async ({ ref, after, deleted, commits = [] }, context) => {
    const { base, own, tools } = context;
    const headRef = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
    if (headRef === base.repository.defaultBranch) await tools.ownSettings.refresh(base.repository);
    if (own) return { ignored: OWN_ACT };
    const known = { settings: tools.settings, defaultBranch: base.repository.defaultBranch };
    if (headRef !== undefined && takesWork(known, headRef)) {
      const reverted = revertedBy(
        commits.map(({ message }) => message),
        context,
      );
      if (reverted !== undefined) return reverted;
    }
    if (headRef === undefined || branchIssue(tools.settings.branches, headRef) === undefined)
      return { ignored: `${ref} is not a branch of ours` };
    return { ...base, permitted: false, type: "pushed", headRef, tip: deleted ? null : after };
  }),

  "check_run.completed": checksChanged(
    z.object({ check_run: z.object({ head_sha: sha }) }),
    ({ check_run }) => check_run.head_sha,
  ),
  "check_suite.completed": checksChanged(
    z.object({ check_suite: z.object({ head_sha: sha }) }),
    ({ check_suite }) => check_suite.head_sha,
  ),
  "pull_request.dequeued": queueChanged,
  "pull_request.enqueued": queueChanged,
  "workflow_run.requested": workflowRun,
  "workflow_run.completed": workflowRun,
  /** Reads a commit status; the event has no action. */
  status: checksChanged(z.object({ sha }), (fields) => fields.sha),
} satisfies WebhookParsers;

/**
 * Returns the event for what these texts of commits or of a merged pull request revert; undefined for
 * nothing.
 */
export function revertedBy(
  texts: readonly string[],
  { base }: ParseContext,
): DomainEventOf<"reverted"> | undefined {
  const found = texts.map((text) => parseReverts(text, fullName(base.repository)));
  const commits = found.flatMap((each) => each.commits);
  const pulls = found.flatMap((each) => each.pulls);
  if (commits.length === 0 && pulls.length === 0) return undefined;
  // Who did it does not matter: it is so, and only the ledger counts it.
  return { ...base, permitted: false, type: "reverted", commits, pulls };
}

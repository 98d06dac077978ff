import { z } from "zod";
import { type Account, accountType, GHOST } from "../domain/events/account.ts";
import type { PersonsPull } from "../domain/events/domain-event.ts";
import { cutHead } from "../domain/messages/format.ts";
import type { Milestone } from "../domain/planning/milestone.ts";

/**
 * Shapes of the used fields only, so that other changes of GitHub's payloads never matter. Each converts to
 * the terms of the domain.
 */

/** GitHub accepts 65,536 characters in a body, each of at most two UTF-16 units. */
const LONGEST_TEXT = 131_072;

/** Text written by people, cut at GitHub's own limit, so that no webhook costs more than GitHub's longest. */
export const writtenShape = z.string().transform((value) => cutHead(value, LONGEST_TEXT));
const text = writtenShape.nullish().transform((value) => value ?? "");

export const accountShape = z
  .object({ id: z.int(), login: z.string().min(1), type: z.string().optional() })
  .transform(({ id, login, type }): Account => ({ id, login, type: accountType(type) }));

/** The account, or GitHub's ghost for a deleted one, who has no permission. */
export const authorShape = accountShape.nullish().transform((account) => account ?? GHOST);

export const repositoryShape = z.object({
  id: z.int().positive(),
  name: z.string().min(1),
  owner: z.object({ login: z.string().min(1) }),
  private: z.boolean(),
  default_branch: z.string().min(1),
});

/** Probot throws for an installation without an id before it calls a reader. */
export const installedShape = z.object({ installation: z.object({ id: z.int().positive() }).nullish() });

/** The fields around every event in use. */
export const envelopeShape = installedShape.extend({ repository: repositoryShape, sender: authorShape });

export const labelShape = z.object({ name: z.string().min(1) });

export const milestoneShape = z
  .object({ number: z.int().positive(), title: z.string(), due_on: z.string().nullish() })
  .transform(({ number, title, due_on: dueOn }): Milestone => ({ number, title, dueOn: dueOn ?? null }));

export const issueShape = z
  .object({
    number: z.int().positive(),
    title: writtenShape,
    body: text,
    state: z.enum(["open", "closed"]),
    state_reason: z.string().nullish(),
    labels: z.array(labelShape).nullish(),
    assignees: z.array(accountShape.nullable()).nullish(),
    user: authorShape,
    html_url: z.string(),
    locked: z.boolean().nullish(),
    milestone: milestoneShape.nullish(),
    pull_request: z.object({}).nullish(),
  })
  .transform((issue) => ({
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    stateReason: issue.state_reason ?? null,
    labels: (issue.labels ?? []).map(({ name }) => name),
    assignees: (issue.assignees ?? []).filter((account) => account !== null),
    author: issue.user,
    url: issue.html_url,
    locked: issue.locked ?? false,
    milestone: issue.milestone ?? null,
    isPullRequest: Boolean(issue.pull_request),
  }));

/** What a pull request has besides what it has in common with an issue. */
const personsPullShape = z
  .object({
    draft: z.boolean().nullish(),
    merged: z.boolean().nullish(),
    merged_at: z.string().nullish(),
    head: z.object({
      ref: z.string().min(1),
      sha: z.string().min(1),
      repo: z.object({ id: z.int(), full_name: z.string() }).nullish(),
    }),
    base: z.object({ ref: z.string().min(1) }),
  })
  .transform((pull) => ({
    theirs: {
      draft: pull.draft ?? false,
      merged: pull.merged ?? typeof pull.merged_at === "string",
      headRef: pull.head.ref,
      headSha: pull.head.sha,
      headRepository: pull.head.repo?.full_name ?? null,
      baseRef: pull.base.ref,
    } satisfies PersonsPull,
    headRepositoryId: pull.head.repo?.id ?? null,
  }));

/** A whole pull request, with what it has in common with an issue. */
export const wholePullShape = z.intersection(issueShape, personsPullShape);

/** The whole pull request, where the payload has it; our own backfilled ones of agents do not. */
export const maybeWholeShape = z.unknown().transform((raw) => {
  const read = wholePullShape.safeParse(raw);
  return { whole: read.success ? read.data : null };
});

export const commentShape = z
  .object({ id: z.int().positive(), body: text, html_url: z.string() })
  .transform(({ id, body, html_url: url }) => ({ id, body, url }));

export const pullRequestShape = z
  .object({
    number: z.int().positive(),
    body: text,
    state: z.string().nullish(),
    merged: z.boolean().nullish(),
    merged_at: z.string().nullish(),
    merge_commit_sha: z.string().nullish(),
    user: z.object({ id: z.int() }).nullish(),
    head: z.object({ ref: z.string().min(1), repo: z.object({ id: z.int() }).nullish() }),
  })
  .transform((pull) => ({
    number: pull.number,
    body: pull.body,
    // Webhooks of reviews have only the time of the merge.
    merged: pull.merged ?? typeof pull.merged_at === "string",
    closed: pull.state === "closed",
    mergeCommit: pull.merge_commit_sha ?? null,
    /** Null when the account is deleted. */
    authorId: pull.user?.id ?? null,
    headRef: pull.head.ref,
    /** Null when the head's repository is deleted. */
    headRepositoryId: pull.head.repo?.id ?? null,
  }));

import { z } from "zod";
import type { GitHubReview, GitHubReviewComment } from "../../../domain/ports/github.ts";
import type { GitHubPullRequest, MergeablePull } from "../../../domain/ports/github-changes.ts";
import {
  accountShape,
  accountsShape,
  commentShape,
  momentShape,
  stateShape,
  textShape,
} from "../client/shapes.ts";

const fields = z.object({
  number: z.int(),
  title: z.string(),
  body: textShape,
  state: stateShape,
  merged_at: z.string().nullable(),
  draft: z.boolean().nullish(),
  user: accountShape,
  head: z.object({
    ref: z.string().min(1),
    sha: z.string().min(1),
    /** Null if it was deleted. */
    repo: z.object({ full_name: z.string().min(1) }).nullish(),
  }),
  base: z.object({ ref: z.string().min(1) }),
  html_url: z.string(),
  created_at: momentShape,
  requested_reviewers: accountsShape,
  assignees: accountsShape,
  /** Missing in lists. */
  additions: z.int().optional(),
  deletions: z.int().optional(),
});

function pullRequestFrom(raw: z.output<typeof fields>): GitHubPullRequest {
  const { additions, deletions } = raw;
  return {
    number: raw.number,
    title: raw.title,
    body: raw.body,
    state: raw.state,
    merged: raw.merged_at !== null,
    draft: raw.draft ?? false,
    author: raw.user,
    headRef: raw.head.ref,
    headSha: raw.head.sha,
    headRepository: raw.head.repo?.full_name ?? null,
    baseRef: raw.base.ref,
    url: raw.html_url,
    createdAt: raw.created_at,
    asked: [...new Set([...raw.requested_reviewers, ...raw.assignees].map(({ login }) => login))],
    ...(additions === undefined || deletions === undefined ? {} : { changedLines: additions + deletions }),
  };
}

export const pullRequestShape = fields.transform(pullRequestFrom);

/** An unknown state keeps GitHub's name: we only test for `behind` and `blocked`. */
export const mergeablePullShape = fields
  .extend({
    mergeable_state: z.string().nullish(),
    merge_commit_sha: z.string().nullish(),
    merged_by: z.object({ id: z.int() }).nullish(),
  })
  .transform((raw): MergeablePull => {
    const pull = pullRequestFrom(raw);
    return {
      ...pull,
      mergeState: raw.mergeable_state ?? "unknown",
      mergeCommit: pull.merged ? (raw.merge_commit_sha ?? null) : null,
      mergedBy: raw.merged_by?.id ?? null,
    };
  });

/** `line` is missing once the diff has moved on; then the original line is used. */
export const reviewCommentShape = z
  .intersection(
    commentShape,
    z.object({ path: z.string(), line: z.int().nullish(), original_line: z.int().nullish() }),
  )
  .transform(
    ({ original_line, line, ...comment }): GitHubReviewComment => ({
      ...comment,
      line: line ?? original_line ?? null,
    }),
  );

/** Null for a review that its author has not submitted yet. */
export const reviewShape = z
  .object({
    id: z.int(),
    body: textShape,
    user: accountShape,
    html_url: z.string(),
    state: z.string(),
    commit_id: z.string().nullish(),
    submitted_at: momentShape.nullish(),
  })
  .transform((raw): GitHubReview | null => {
    if (raw.submitted_at === undefined || raw.submitted_at === null) return null;
    return {
      id: raw.id,
      body: raw.body,
      author: raw.user,
      url: raw.html_url,
      verdict: raw.state.toLowerCase(),
      commit: raw.commit_id ?? null,
      submittedAt: raw.submitted_at,
    };
  });

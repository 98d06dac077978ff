import { type FileDiff, readDiff } from "../git/read-diff.ts";
import { ApiError, invalid } from "../http/answer.ts";
import { notComputed, renderPull, renderReview, renderReviewComment } from "../render/pull.ts";
import type { Account, PullRequest, Repository, Review, ReviewComment } from "../world/records.ts";
import { now, type World } from "../world/world.ts";

const states = { APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" } as const;
export type ReviewEvent = keyof typeof states;

export interface InlineComment {
  readonly path: string;
  readonly line: number;
  readonly side: "LEFT" | "RIGHT";
  readonly body: string;
  readonly inReplyTo: number | null;
}

/**
 * Submits a review with its inline comments. Throws 422 if authors review their own pull request, or if a comment is on
 * a line that the diff does not show.
 */
export async function submitReview(
  world: World,
  repository: Repository,
  issue: PullRequest,
  review: {
    author: Account;
    event: ReviewEvent;
    body: string;
    commitId: string | undefined;
    comments: readonly InlineComment[];
  },
): Promise<Review> {
  const { author, event, body } = review;
  if (event !== "COMMENT" && author === issue.author) {
    const what = event === "APPROVE" ? "approve" : "request changes on";
    throw new ApiError(422, "Unprocessable Entity", {
      errors: [`Review Can not ${what} your own pull request`],
    });
  }
  if (event !== "APPROVE" && body === "" && review.comments.length === 0) {
    throw new ApiError(422, "Unprocessable Entity", { errors: ["Review body can't be blank"] });
  }
  const { pull } = issue;
  const commitId = review.commitId ?? pull.headSha;
  const files = await readDiff(repository.directory, pull.mergeBaseSha, pull.headSha);
  const hunks = review.comments.map((comment) => {
    const found = hunkOf(files, comment);
    if ("hunk" in found) return found.hunk;
    const what = found.unresolved === "path" ? "Path" : "Line";
    throw new ApiError(422, "Unprocessable Entity", { errors: [`${what} could not be resolved`] });
  });
  const submitted: Review = {
    id: world.nextId(),
    author,
    body,
    state: states[event],
    commitId,
    submittedAt: now(world),
  };
  pull.reviews.push(submitted);
  pull.requestedReviewers = pull.requestedReviewers.filter((account) => account !== author);
  const fields = {
    review: { ...renderReview(world, repository, issue, submitted), state: submitted.state.toLowerCase() },
    pull_request: renderPull(world, repository, issue, notComputed),
  };
  world.emit({ event: "pull_request_review", action: "submitted", repository, sender: author, fields });
  for (const [index, comment] of review.comments.entries()) {
    addReviewComment(world, repository, issue, submitted, comment, hunks[index] ?? "");
  }
  return submitted;
}

/**
 * Returns the diff up to the commented line, as GitHub shows it above the comment, or the reason why the diff does not
 * show that line.
 */
function hunkOf(
  files: readonly FileDiff[],
  comment: InlineComment,
): { hunk: string } | { unresolved: "path" | "line" } {
  const patch = files.find((file) => file.path === comment.path)?.patch;
  if (patch === undefined) return { unresolved: "path" };
  let hunk: string[] = [];
  let left = 0;
  let right = 0;
  for (const line of patch.split("\n")) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (header) {
      hunk = [];
      left = Number(header[1]) - 1;
      right = Number(header[2]) - 1;
    } else {
      left += line.startsWith("+") ? 0 : 1;
      right += line.startsWith("-") ? 0 : 1;
    }
    hunk.push(line);
    const here = comment.side === "LEFT" ? left : right;
    const other = comment.side === "LEFT" ? "+" : "-";
    if (!header && here === comment.line && !line.startsWith(other)) return { hunk: hunk.join("\n") };
  }
  return { unresolved: "line" };
}

/** Adds one inline comment; GitHub wraps it in its own review. */
export async function commentInline(
  world: World,
  repository: Repository,
  issue: PullRequest,
  author: Account,
  comment: InlineComment,
  commitId: string,
): Promise<ReviewComment> {
  const { directory } = repository;
  const { mergeBaseSha, headSha } = issue.pull;
  const found = hunkOf(await readDiff(directory, mergeBaseSha, headSha), comment);
  if ("unresolved" in found) {
    const field = `pull_request_review_thread.${found.unresolved}`;
    throw invalid("PullRequestReviewComment", field, { message: `${field} must be part of the diff` });
  }
  const review = await submitReview(world, repository, issue, {
    author,
    event: "COMMENT",
    body: "",
    commitId,
    comments: [comment],
  });
  const made = issue.pull.reviewComments.find((entry) => entry.reviewId === review.id);
  if (made === undefined) throw new Error("The review was submitted without its comment.");
  return made;
}

function addReviewComment(
  world: World,
  repository: Repository,
  issue: PullRequest,
  review: Review,
  comment: InlineComment,
  diffHunk: string,
): void {
  const made: ReviewComment = {
    id: world.nextId(),
    reviewId: review.id,
    author: review.author,
    ...comment,
    commitId: review.commitId,
    diffHunk,
    createdAt: now(world),
    reactions: [],
  };
  issue.pull.reviewComments.push(made);
  const fields = {
    comment: renderReviewComment(world, repository, issue, made),
    pull_request: renderPull(world, repository, issue, notComputed),
  };
  world.emit({
    event: "pull_request_review_comment",
    action: "created",
    repository,
    sender: review.author,
    fields,
  });
}

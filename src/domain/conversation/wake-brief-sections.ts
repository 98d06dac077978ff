import { cutHead, cutTail } from "../messages/format.ts";
import { visibleText } from "../messages/visible-text.ts";
import type { CommitCheck, GitHubComment, GitHubReviewComment } from "../ports/github.ts";
import type { NewBaseCommits } from "../ports/worktrees.ts";
import type { HandoffRow } from "./handoff.ts";
import { untrusted } from "./untrusted.ts";

/** Comments shown of each kind, and characters of one. */
const MOST_COMMENTS = 6;
const MOST_COMMENT = 500;
const MOST_FILES = 20;
const MOST_CHECKS = 3;
const MOST_LOG = 700;
const MOST_HANDOFF = 1000;

/** Returns the section about new commits of the base branch; null where there are none. */
export function newCommitsText(
  base: string,
  { commits, touching, conflicts }: NewBaseCommits,
): string | null {
  if (commits === 0) return null;
  const told = touching.map(
    ({ commit, subject }) => `- ${commit.slice(0, 10)} ${untrusted(cutHead(subject, 120))}`,
  );
  const none = "None of them touches a file that you changed.";
  return [
    `The base branch \`${base}\` moved: it has ${count(commits, "commit")} that your branch lacks.`,
    ...(told.length === 0 ? [none] : ["These of them touch files that you changed, newest first:", ...told]),
    conflicts.length === 0
      ? "A merge of it would meet no conflict."
      : `A merge of it would meet conflicts in: ${untrusted(listed(conflicts))}.`,
  ].join("\n");
}

/**
 * Returns the section about new comments; null where there are none. `hidden` comments, by people without permission,
 * are only counted.
 */
export function commentsText(comments: readonly GitHubComment[], hidden: number): string | null {
  return pointsText("New comments", { comments, hidden }, (comment) => head(comment));
}

export function reviewCommentsText(comments: readonly GitHubReviewComment[], hidden: number): string | null {
  return pointsText(
    "New comments on lines of your pull request",
    { comments, hidden },
    (comment) => `${comment.path}${comment.line === null ? "" : `:${comment.line}`}, ${head(comment)}`,
  );
}

/**
 * Returns the section about checks of the head that finished since the agent fell asleep, with the end of each red
 * one's output; unchanged ones are counted. `since` = milliseconds since the epoch.
 */
export function checksText(checks: readonly CommitCheck[], since: number): string | null {
  if (checks.length === 0) return null;
  // GitHub's times are whole seconds. A check without a time may be new.
  const from = Math.floor(since / 1000) * 1000;
  const isNew = ({ changedAt }: CommitCheck) => changedAt === undefined || Date.parse(changedAt) >= from;
  const news = checks.filter(isNew);
  const others = checks.filter((check) => !isNew(check));
  const before = others.length === 0 ? "" : ` As before: ${counted(others)}.`;
  if (news.length === 0) return `No check of your pushed head changed while you slept.${before}`;
  const red = news.filter(({ state }) => state === "red");
  const more = red.length - MOST_CHECKS;
  return [
    `Checks of your pushed head that changed while you slept: ${counted(news)}.${before}`,
    ...red.slice(0, MOST_CHECKS).map(({ name, conclusion, output }) => {
      const said =
        output === undefined ? "" : ` It says:\n${untrusted(quoted(cutTail(output.trim(), MOST_LOG)))}`;
      return `- ${name}: ${conclusion}.${said}`;
    }),
    ...(more > 0 ? [`- (${count(more, "more red check")})`] : []),
  ].join("\n");
}

/** Returns how many checks are in which state, with their names: `1 red (build), 2 green (docs, lint)`. */
function counted(checks: readonly CommitCheck[]): string {
  return (["red", "pending", "green"] as const)
    .flatMap((state) => {
      const of = checks.filter((check) => check.state === state);
      return of.length === 0 ? [] : [`${of.length} ${state} (${listed(of.map(({ name }) => name))})`];
    })
    .join(", ");
}

/** Returns the section with the last handoff of the agent itself, or the host's for it. */
export function ownHandoffText({ summary, nextAction }: HandoffRow): string {
  return `Your own handoff:\n${untrusted(quoted(cutHead(`${summary}\n\nNext action: ${nextAction}`, MOST_HANDOFF)))}`;
}

function pointsText<Comment extends GitHubComment>(
  title: string,
  { comments, hidden }: { readonly comments: readonly Comment[]; readonly hidden: number },
  place: (comment: Comment) => string,
): string | null {
  if (comments.length + hidden === 0) return null;
  const earlier = comments.length - MOST_COMMENTS;
  return [
    `${title}:`,
    ...(earlier > 0 ? [`- (${count(earlier, "earlier one")} not shown)`] : []),
    ...comments
      .slice(-MOST_COMMENTS)
      .map(
        (comment) =>
          `- ${place(comment)}:\n${untrusted(quoted(cutHead(visibleText(comment.body).trim(), MOST_COMMENT)))}`,
      ),
    ...(hidden > 0
      ? [`- (${count(hidden, "comment")} by people without permission to steer you not shown)`]
      : []),
  ].join("\n");
}

const head = ({ author, url }: GitHubComment): string => `@${author.login} (${url})`;

function listed(files: readonly string[]): string {
  const more = files.length - MOST_FILES;
  return `${files.slice(0, MOST_FILES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

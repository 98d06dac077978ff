import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { LessonObstacle } from "../../domain/lessons/lesson-due.ts";
import { LESSONS_FILE, unreadLessons } from "../../domain/lessons/lesson-file.ts";
import { isLessonBranch, isThere } from "../../domain/lessons/lesson-line.ts";
import type { GitHubPullRequest } from "../../domain/ports/github-changes.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** The file with the lessons on the default branch; `sha` null where it does not exist. */
export interface LessonsFile {
  readonly text: string;
  readonly sha: string | null;
}

/** Returns our open pull request that proposes a lesson; undefined where there is none. Throws `GitHubError`. */
export async function openLesson(
  { github, identity }: EngineContext,
  repository: RepositoryRow,
): Promise<GitHubPullRequest | undefined> {
  const open = await github.pullRequests(repository, {});
  return open.find(({ author, headRef }) => author.id === identity.botId && isLessonBranch(headRef));
}

/** Returns the file, or why none can be changed here, as a clause. Throws `GitHubError`. */
export async function lessonsFile(
  context: EngineContext,
  repository: RepositoryRow,
): Promise<LessonsFile | { readonly fault: string }> {
  const { github } = context;
  // A link is followed where a file is read, and listed as what it is.
  const top = await github.directory(repository, "");
  const entry = top?.find(({ name }) => name === LESSONS_FILE);
  if (entry !== undefined && entry.type !== "file")
    return { fault: `${LESSONS_FILE} is a ${entry.type} and not a file` };
  const file = entry === undefined ? null : await github.file(repository, LESSONS_FILE);
  const text = file?.text ?? "";
  const unread = unreadLessons(context.settingsOf(repository.id), text);
  return unread === null ? { text, sha: file?.sha ?? null } : { fault: unread };
}

/** Returns why no lesson is looked for now; null where one may be. Throws `GitHubError`. */
export async function lessonObstacle(
  context: EngineContext,
  repository: RepositoryRow,
): Promise<LessonObstacle | null> {
  const open = await openLesson(context, repository);
  if (open !== undefined)
    return {
      reason: `#${open.number} proposes a lesson already, and waits for people`,
      change: `merge or close #${open.number}`,
    };
  const file = await lessonsFile(context, repository);
  return "fault" in file ? { reason: file.fault } : null;
}

/** Returns why this line is not proposed, as a clause; null where it is new. Throws `GitHubError`. */
export async function knownLesson(
  { github, identity }: EngineContext,
  repository: RepositoryRow,
  { line, branch, text }: { readonly line: string; readonly branch: string; readonly text: string },
): Promise<string | null> {
  if (isThere(line, text)) return `${LESSONS_FILE} says this already, or nearly`;
  const before = await github.pullRequests(repository, { head: branch });
  const closed = before.find(({ author, state }) => author.id === identity.botId && state === "closed");
  if (closed === undefined) return null;
  return closed.merged
    ? `#${closed.number} added this line before, and people have changed it since`
    : `people closed #${closed.number}, which proposed this line`;
}

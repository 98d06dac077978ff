import type { IssueText } from "../../domain/conversation/prompts.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { PictureSource } from "../../domain/pictures/picture-links.ts";
import type { GitHubIssue } from "../../domain/ports/github.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { mayBeRead } from "./may-be-read.ts";

/**
 * Returns what a model reads of an issue: the text as approved by an act of a person with permission; without
 * one, the present text if its author has permission. States what is left out.
 */
export async function issueForModel(
  context: EngineContext,
  repository: RepositoryRow,
  issue: Pick<GitHubIssue, "number" | "title" | "body" | "author">,
): Promise<IssueText> {
  const { number, author } = issue;
  const base = { repository: fullName(repository), number, author: author.login };
  const permitted = await permittedText(context, repository, issue);
  if (permitted !== null) return { ...base, ...permitted };
  return {
    ...base,
    title: `Issue #${number}`,
    body: "",
    withheld: `Its title and text are not shown: @${author.login} has no write permission, and nobody who has stood for them.`,
  };
}

/** Returns the title and text that a model may read, with what is left out of them; null where it may read none. */
export async function permittedText(
  context: EngineContext,
  repository: RepositoryRow,
  { number, title, body, author }: Pick<GitHubIssue, "number" | "title" | "body" | "author">,
): Promise<Pick<IssueText, "title" | "body" | "withheld"> | null> {
  if (context.settings.policy.readUntrusted) return { title, body, withheld: null };
  const approved = await context.store.issueTexts.of(repository.id, number);
  if (approved !== undefined) {
    const edited = !same(approved.title, title) || !same(approved.body, body);
    return {
      title: approved.title,
      body: approved.body,
      withheld: edited
        ? `The issue was edited since, and not by somebody who may steer you: this is what stood there when @${approved.approvedBy} acted on it.`
        : null,
    };
  }
  return (await mayBeRead(context, repository, author)) ? { title, body, withheld: null } : null;
}

/**
 * Returns the issue's text as a source of pictures; none where its author has no permission: who approved such a text
 * has not read the words that stand for its pictures.
 */
export async function issuePictures(
  context: EngineContext,
  repository: RepositoryRow,
  { author, number }: Pick<GitHubIssue, "author" | "number">,
  { body }: IssueText,
): Promise<readonly PictureSource[]> {
  if (!body.includes("![") && !/<img/i.test(body)) return [];
  if (!(await mayBeRead(context, repository, author))) return [];
  return [{ place: { kind: "issue", number }, text: body }];
}

/** Compares texts regardless of line ends, which GitHub returns as they were typed. */
function same(one: string, other: string): boolean {
  return one.replaceAll("\r\n", "\n") === other.replaceAll("\r\n", "\n");
}

import { fullName, type RepositoryRef } from "../core/repository.ts";

const WORDS = "(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)";

/**
 * True when a pull request's text closes the issue by GitHub's keywords: `fixes #7`, `Closes: owner/name#7`, or with
 * the issue's address. Hidden comments, such as those of a template, say nothing.
 */
export function closesIssue(
  text: string,
  repository: Pick<RepositoryRef, "owner" | "name">,
  issue: number,
): boolean {
  const name = fullName(repository).replaceAll(".", "\\.");
  const target = `(?:(?:${name})?#|https?://[^\\s/]+/${name}/issues/)${issue}(?![\\w])`;
  const visible = text.replaceAll(/<!--.*?(?:-->|$)/gs, " ");
  return new RegExp(`(?<![\\w-])${WORDS}:?\\s+${target}`, "i").test(visible);
}

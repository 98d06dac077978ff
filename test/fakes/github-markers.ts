import type { Account } from "../../src/domain/events/account.ts";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import { parseMarker } from "../../src/domain/messages/marker.ts";
import { BOT } from "./github-world.ts";

/** The MAC of every marker: the fake checks only the key. */
export const MAC = "0fa4e";

function carries(text: { readonly author: Account; readonly body: string }, key: string): boolean {
  return text.author.id === BOT.id && parseMarker(text.body)?.key === key;
}

/** Returns the first text of ours that carries the key. */
export function byMarker<Text extends { readonly author: Account; readonly body: string }>(
  all: readonly Text[],
  key: string,
): Text | undefined {
  return all.find((text) => carries(text, key));
}

export function notFound(what: string): never {
  throw refused("not_found", `${what} is not found`, "stop");
}

export function refused(
  code: ConstructorParameters<typeof GitHubError>[0],
  message: string,
  consequence: "stop" | "tell" | "retry",
): GitHubError {
  return new GitHubError(code, message, code === "not_found" ? 404 : 422, { consequence });
}

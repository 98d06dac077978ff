import type { Octokit } from "@octokit/rest";
import { GitHubError, messageOf } from "../../../domain/kernel/errors.ts";
import { type Asked, errorWithoutAnswer } from "./http-errors.ts";

/** Any answer of the server, whatever its status. */
export type Answer = Awaited<ReturnType<Octokit["request"]>>;

/**
 * Waits for Octokit and undoes its mixing of refusals with lost connections: what the server said is returned, be it
 * an error or 304; when it said nothing, throws `GitHubError` `unavailable`.
 */
export async function answerTo(asked: Asked, request: Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    if (hasResponse(error)) return error.response;
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof GitHubError) throw cause;
    // The cause alone is kept: Octokit's error carries the request's body, which must not reach a log.
    throw errorWithoutAnswer(asked, messageOf(error), cause);
  }
}

function hasResponse(error: unknown): error is { response: Answer } {
  return error instanceof Error && "response" in error && error.response !== undefined;
}

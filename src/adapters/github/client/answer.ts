import type { Octokit } from "@octokit/rest";
import { GitHubError, messageOf } from "../../../domain/kernel/errors.ts";
import { type Asked, errorWithoutAnswer } from "./http-errors.ts";

/** Any answer of the server, whatever its status. */
export type Answer = Awaited<ReturnType<Octokit["request"]>>;

/**
 * Waits for Octokit and separates refusals from lost connections, which Octokit mixes: returns what the server
 * answered, including errors and 304; throws `GitHubError` `unavailable` if it did not answer.
 */
export async function answerTo(asked: Asked, request: Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    if (hasResponse(error)) return error.response;
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof GitHubError) throw cause;
    // Keeps only the cause: Octokit's error contains the request's body, which must not reach a log.
    throw errorWithoutAnswer(asked, messageOf(error), cause);
  }
}

function hasResponse(error: unknown): error is { response: Answer } {
  return error instanceof Error && "response" in error && error.response !== undefined;
}

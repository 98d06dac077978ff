import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import { aboutMinutes } from "../../../domain/messages/format.ts";
import { allowedAgainAt } from "./rate-limit.ts";
import { readNow, type Unread } from "./read-answer.ts";

const failedShape = z.object({
  errors: z.array(z.object({ type: z.string().nullish(), message: z.string() })).min(1),
});

/**
 * Waits for an answer of GraphQL and returns the fields of `shape` in its `data`. Throws `GitHubError` for errors, which
 * GraphQL answers with status 200, and for missing or mistyped fields. `now` is in milliseconds since the epoch.
 */
export async function readGraph<Shape extends z.ZodType>(
  asked: Promise<Unread>,
  shape: Shape,
  now: number,
): Promise<z.output<Shape>> {
  const answer = await asked;
  const failed = failedShape.safeParse(answer.data);
  if (failed.success) throw graphError(failed.data.errors, answer, now);
  return readNow({ ...answer, data: Object(answer.data).data }, shape);
}

/** How a message about an error begins that came as an answer. */
export const ANSWERED = "GitHub answered to POST /graphql: ";

type Faults = z.output<typeof failedShape>["errors"];

function graphError(faults: Faults, { headers }: Unread, now: number): GitHubError {
  const text = ANSWERED + faults.map(({ message }) => message).join("; ");
  const has = (...types: readonly string[]) => faults.some(({ type }) => types.includes(type ?? ""));
  if (has("RATE_LIMITED", "RATE_LIMIT")) {
    const retryAt = allowedAgainAt(headers, now);
    return new GitHubError("rate_limited", `${text}; it continues ${aboutMinutes(retryAt - now)}`, 200, {
      consequence: "park",
      retryAt,
      advice: "Nothing to do: it continues automatically when GitHub allows it.",
    });
  }
  if (has("FORBIDDEN", "INSUFFICIENT_SCOPES"))
    return new GitHubError("forbidden", text, 200, {
      consequence: "tell",
      advice:
        'Grant the App "Contents: Read and write" and "Pull requests: Read and write", then accept the change in the installation.',
    });
  if (has("NOT_FOUND"))
    return new GitHubError("not_found", text, 200, {
      consequence: "stop",
      advice: "It was deleted, or the App is not installed on the repository: see the App's installations.",
    });
  if (has("SERVICE_UNAVAILABLE", "INTERNAL") || /something went wrong|timed? ?out/i.test(text))
    return new GitHubError("unavailable", text, 200, {
      consequence: "retry",
      uncertain: true,
      advice: "Nothing to do unless it lasts: see the status page of your GitHub.",
    });
  return new GitHubError("invalid", text, 200, {
    consequence: "stop",
    advice: "GitHub does not accept what was sent; the message says why.",
  });
}

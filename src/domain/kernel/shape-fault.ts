import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/**
 * Returns the first path at which a value has an unexpected shape, and never the value, which may be secret:
 * `labels.0.name: Invalid input: expected string, received undefined`. `whole` names the value itself.
 */
export function shapeFault(error: z.ZodError, whole: string): string {
  const { path, message } = deepest(error.issues);
  return `${path.length === 0 ? whole : path.map(String).join(".")}: ${message}`;
}

/** Returns the issues of the alternative that the value matches best. */
function deepest(issues: readonly Issue[]): {
  readonly path: readonly PropertyKey[];
  readonly message: string;
} {
  const [issue] = issues;
  if (issue === undefined) return { path: [], message: "not understood" };
  if (issue.code !== "invalid_union") return issue;
  const [closest] = issue.errors
    .map((alternative) => deepest(alternative))
    .toSorted((one, other) => other.path.length - one.path.length);
  return closest === undefined ? issue : { ...closest, path: [...issue.path, ...closest.path] };
}

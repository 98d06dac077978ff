import type { RepositoryRef } from "../kernel/repository.ts";
import { fullName } from "../kernel/repository.ts";

/** What GitHub answered, by the question; what it refused is kept as the text of its error. */
export type Answers = Readonly<Record<string, Answer>>;
export type Answer = { readonly answer: unknown } | { readonly refused: Refused };

/** As much of a `GitHubError` as decisions look at. */
interface Refused {
  readonly code: string;
  readonly message: string;
}

/** Returns a call of the port GitHub in words that stay the same: the method, then what it was given. */
export function questionOf(method: string, given: readonly unknown[]): string {
  return `${method}(${given.map((one) => (isRepository(one) ? fullName(one) : JSON.stringify(one))).join(", ")})`;
}

function isRepository(value: unknown): value is RepositoryRef {
  return typeof value === "object" && value !== null && "owner" in value && "name" in value;
}

import type { RepositoryRef } from "../kernel/repository.ts";
import { fullName } from "../kernel/repository.ts";

/** GitHub's answers by request; a failure is kept as the text of its error. */
export type Answers = Readonly<Record<string, Answer>>;
export type Answer = { readonly answer: unknown } | { readonly refused: Refused };

/** The fields of a `GitHubError` that decisions depend on. */
interface Refused {
  readonly code: string;
  readonly message: string;
}

/** Returns a stable text for a call of the port GitHub: the method, then its arguments. */
export function questionOf(method: string, given: readonly unknown[]): string {
  return `${method}(${given.map((one) => (isRepository(one) ? fullName(one) : JSON.stringify(one))).join(", ")})`;
}

function isRepository(value: unknown): value is RepositoryRef {
  return typeof value === "object" && value !== null && "owner" in value && "name" in value;
}

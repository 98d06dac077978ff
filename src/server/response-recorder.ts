import { AsyncLocalStorage } from "node:async_hooks";
import { GitHubError, messageOf } from "../domain/kernel/errors.ts";
import type { RepositoryRef } from "../domain/kernel/repository.ts";
import { type Answer, type Answers, questionOf } from "../domain/replay/recorded-answers.ts";
import { repositoryConfigQuestion, withoutPrompts } from "../domain/replay/recorded-file.ts";
import type { RepositoryOverride } from "../domain/settings/repository-override.ts";

/** A longer answer, in characters of JSON, is not recorded: a page of logs decides nothing. */
const MOST_KEPT = 100_000;
/** The token is not a fact to decide by, and must never be stored. */
const NEVER = "gitToken";

interface Heard {
  open: boolean;
  readonly answers: Map<string, Answer>;
}

const here = new AsyncLocalStorage<Heard>();

/**
 * Runs the work of one delivery and records what GitHub answers, so that the decision can be replayed. Work that
 * continues after the delivery is settled is not recorded.
 */
export async function withRecording<T>(work: () => Promise<T>): Promise<T> {
  const heard: Heard = { open: true, answers: new Map() };
  try {
    return await here.run(heard, work);
  } finally {
    heard.open = false;
    heard.answers.clear();
  }
}

/** Returns the answers recorded for the current delivery; empty outside of a delivery. */
export function recordedResponses(): Answers {
  return Object.fromEntries(here.getStore()?.answers ?? []);
}

/** Records which version of the repository's own file applies to the current delivery; null means none. */
export function recordRepositoryConfig(repository: RepositoryRef, override: RepositoryOverride | null): void {
  const heard = here.getStore();
  const answer = override === null ? null : withoutPrompts(override);
  if (heard !== undefined) keep(heard, repositoryConfigQuestion(repository), { answer });
}

/** Returns the same port with recording. */
export function recordingPort<T extends object>(port: T): T {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || typeof name !== "string") return member;
      return (...given: readonly unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, given);
        const heard = here.getStore();
        if (heard?.open !== true || name === NEVER || !(result instanceof Promise)) return result;
        return kept(heard, questionOf(name, given), result);
      };
    },
  });
}

async function kept(heard: Heard, question: string, result: Promise<unknown>): Promise<unknown> {
  try {
    const answer = await result;
    keep(heard, question, { answer });
    return answer;
  } catch (error) {
    const code = error instanceof GitHubError ? error.code : "error";
    keep(heard, question, { refused: { code, message: messageOf(error) } });
    throw error;
  }
}

function keep({ open, answers }: Heard, question: string, answer: Answer): void {
  if (open && JSON.stringify(answer).length <= MOST_KEPT) answers.set(question, answer);
}

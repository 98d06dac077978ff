import { GitHubError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import { type Asked, isWrite } from "./http-errors.ts";

/** For so long an endpoint may answer with what cannot be read before a person must look. */
const PATIENCE_MS = { shape: 60 * 60_000, noJson: 24 * 60 * 60_000 };
const REMEMBERED = 1_000;
const ADVICE =
  "Check that GHE_HOST names a GitHub, that no proxy answers in its place, and that the version of the Enterprise Server is supported.";

/** `noJson`: something else answered in GitHub's place, as a proxy does. `shape`: a field is missing or of another type. */
type Kind = keyof typeof PATIENCE_MS;

/** Remembers since when each endpoint has answered with what cannot be read. */
export interface Misreadings {
  understood(asked: Asked, kind: Kind): void;
  /** Returns an error that is retried at first; when it has lasted for an hour (`noJson`: a day, like an outage), a person must know. */
  misread(asked: Asked, kind: Kind, answer: { readonly status: number; readonly fault: string }): GitHubError;
}

export function createMisreadings(clock: Pick<Clock, "now">): Misreadings {
  const since = new Map<string, number>();
  return {
    understood: (asked, kind) => void since.delete(nameOf(asked, kind)),
    misread(asked, kind, { status, fault }) {
      const name = nameOf(asked, kind);
      const now = clock.now();
      const first = since.get(name) ?? now;
      since.set(name, first);
      const oldest = since.keys().next();
      if (since.size > REMEMBERED && !oldest.done) since.delete(oldest.value);
      const lasts = now - first >= PATIENCE_MS[kind];
      const what = kind === "shape" ? "is not as GitHub documents it" : "is not JSON";
      const next = lasts
        ? `it has been so since ${new Date(first).toISOString()}, so a person must look`
        : "it is asked again";
      return new GitHubError(
        kind === "shape" ? "malformed" : "unavailable",
        `The answer to ${asked.method} ${asked.path} ${what}: ${fault}; ${next}`,
        status,
        { consequence: lasts ? "tell" : "retry", uncertain: isWrite(asked.method), advice: ADVICE },
      );
    },
  };
}

/** The address without its query: the pages of a list are one endpoint. */
function nameOf({ method, path }: Asked, kind: Kind): string {
  return `${kind} ${method} ${path.split("?", 1)[0]}`;
}

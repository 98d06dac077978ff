import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Lagging } from "../../../domain/ports/github-app.ts";

/**
 * Returns the result of a lookup. If it found nothing and the list may lag, throws `unseen`: the item may exist all the
 * same, so nothing may be written before the next lookup, at `lagsUntil`.
 */
export function seen<Found>(
  found: Found | undefined,
  { lagsUntil = 0, clock }: Lagging & { readonly clock: Pick<Clock, "now"> },
): Found | undefined {
  if (found !== undefined || clock.now() >= lagsUntil) return found;
  const text = "An earlier try may have written this, and GitHub's list does not show it yet";
  throw new GitHubError("unseen", text, 0, { consequence: "park", retryAt: lagsUntil });
}

import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Lagging } from "../../../domain/ports/github-app.ts";

/**
 * What a look has found. When it found nothing and the list may lag, `unseen`: not found is not yet not written, so
 * nothing may be written before the next look, which is at `lagsUntil`.
 */
export function seen<Found>(
  found: Found | undefined,
  { lagsUntil = 0, clock }: Lagging & { readonly clock: Pick<Clock, "now"> },
): Found | undefined {
  if (found !== undefined || clock.now() >= lagsUntil) return found;
  const text = "An earlier try may have written this, and GitHub's list does not show it yet";
  throw new GitHubError("unseen", text, 0, { consequence: "park", retryAt: lagsUntil });
}

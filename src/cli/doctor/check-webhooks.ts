import type { AppSettings, HookOutcome } from "../../domain/ports/github-app.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check } from "./check.ts";
import { type Listens, lostBecause } from "./lost-delivery.ts";

const about = "the App's webhook";
/** GitHub deletes deliveries after three days. */
const REMEMBERED_MS = 3 * 24 * 3_600_000;

/** Checks whether the last webhooks arrived. */
export const checkWebhooks: Check = async ({ app, now, config }) => {
  const known = await app;
  return "fault" in known ? [] : webhookHealth(known.settings, now, config.environment);
};

/**
 * Judges from the latest deliveries whether GitHub reaches us: nothing if the newest one arrived, since the
 * running Flotilla requests the earlier ones again. `now` in milliseconds since the epoch.
 */
export function webhookHealth(
  { hook, installations }: AppSettings,
  now: number,
  listens: Listens,
): readonly Finding[] {
  const { latest, url } = hook;
  const [newest] = latest;
  if (newest === undefined) return silence(installations, now);
  if (arrived(newest)) return [];
  const since = latest.findIndex(arrived);
  const lost = since === -1 ? latest.length : since;
  const many = lost === 1 ? "the last delivery" : `the last ${lost} deliveries`;
  const [why, next] = lostBecause(newest, url, listens);
  return [
    {
      about,
      what: `lost ${many} (${newest.statusCode === 0 ? newest.status : `${newest.statusCode} ${newest.status}`}): ${why}`,
      next,
    },
  ];
}

/** Reports that no webhook was sent although the installation itself causes one. */
function silence(installations: AppSettings["installations"], now: number): readonly Finding[] {
  const untold = installations.filter(({ installedAt }) => now - installedAt < REMEMBERED_MS);
  if (untold.length === 0) return [];
  const accounts = untold.map(({ account }) => account).join(", ");
  return [
    {
      about,
      what: `has sent nothing, not even that the App was installed on ${accounts}: it is disabled, so Flotilla receives no webhooks`,
      next: "Tick Active below Webhook in the App's settings on GitHub",
    },
  ];
}

function arrived({ statusCode }: HookOutcome): boolean {
  return statusCode >= 200 && statusCode < 300;
}

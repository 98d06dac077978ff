import type { AppSettings, HookOutcome } from "../../core/ports/app-settings.ts";
import type { Finding } from "../start-checks/finding.ts";

const about = "the App's webhook";
/** GitHub forgets deliveries after three days. */
const REMEMBERED_MS = 3 * 24 * 3_600_000;

/**
 * What the latest deliveries say of the way from GitHub to us: nothing when the newest one arrived. Those before it are asked
 * for again by the running Flotilla. `now` in milliseconds since the epoch.
 */
export function webhookHealth({ hook, installations }: AppSettings, now: number): readonly Finding[] {
  const { latest, url } = hook;
  const [newest] = latest;
  if (newest === undefined) return silence(installations, now);
  if (arrived(newest)) return [];
  const since = latest.findIndex(arrived);
  const lost = since === -1 ? latest.length : since;
  const many = lost === 1 ? "the last delivery" : `the last ${lost} deliveries`;
  const [why, next] = reasonOf(newest, url);
  return [
    {
      about,
      what: `lost ${many} (${newest.statusCode === 0 ? newest.status : `${newest.statusCode} ${newest.status}`}): ${why}`,
      next,
    },
  ];
}

/** That it was installed is itself told by a webhook. */
function silence(installations: AppSettings["installations"], now: number): readonly Finding[] {
  const untold = installations.filter(({ installedAt }) => now - installedAt < REMEMBERED_MS);
  if (untold.length === 0) return [];
  const accounts = untold.map(({ account }) => account).join(", ");
  return [
    {
      about,
      what: `has sent nothing, not even that the App was installed on ${accounts}: it is switched off, so nothing is heard of`,
      next: "Tick Active below Webhook in the App's settings on GitHub",
    },
  ];
}

function arrived({ statusCode }: HookOutcome): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function reasonOf({ statusCode }: HookOutcome, url: string): readonly [why: string, next: string] {
  if (statusCode === 401)
    return [
      "its secret is not WEBHOOK_SECRET, so everything from GitHub is refused",
      "Set the same secret in the App's settings and in WEBHOOK_SECRET, then restart",
    ];
  if (statusCode >= 300 && statusCode < 500)
    return [
      `something else than Flotilla answers at ${url}`,
      "Correct the webhook's address in the App's settings, or the proxy or tunnel on the way",
    ];
  if (statusCode === 504)
    return [
      "no answer within ten seconds",
      "See whether the proxy or tunnel on the way reaches Flotilla, and whether its machine is overloaded",
    ];
  return [
    `nobody took it at ${url}`,
    "See that Flotilla serves and that its address is reached from outside; then `flotilla deliveries sweep` brings what was lost",
  ];
}

import { createSecretKey } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { AppSettings, AppSettingsReader } from "../../domain/ports/github-app.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import { claimedDigest, isSigned } from "../../webhooks/receive/signature.ts";
import { appDifferences, readManifest } from "../doctor/check-app.ts";
import { webhookHealth } from "../doctor/check-webhooks.ts";
import type { Listens } from "../doctor/lost-delivery.ts";
import type { ReceivedWebhook } from "./setup-server.ts";

/** GitHub sends its first ping while it creates the App, so its delivery may not be listed at once. */
const ASKED_TIMES = 25;
const ASKED_EVERY_MS = 200;

/** What is known about an App that was just created. */
export interface FirstDelivery {
  /** True if GitHub's first webhook arrived, at this server or at another one behind the same address. */
  readonly reached: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Checks whether GitHub reaches the webhook's address, and whether the App matches app.yml. Expects no
 * installation yet.
 */
export async function checkFirstDelivery(
  github: AppSettingsReader,
  received: readonly ReceivedWebhook[] | undefined,
  secret: string,
  { now, listens }: { readonly now: () => number; readonly listens: Listens },
): Promise<FirstDelivery> {
  const settings = await settled(github);
  const health = webhookHealth(settings, now(), listens);
  const findings = [
    ...appDifferences(settings, readManifest()).filter(({ what }) => what !== "is installed nowhere"),
    ...health,
  ];
  const arrived = settings.hook.latest.length > 0 && health.length === 0;
  if (!arrived || received === undefined || received.some((one) => fromGitHub(one, secret)))
    return { reached: arrived, findings };
  return { reached: false, findings: [...findings, elsewhere(settings)] };
}

async function settled(github: AppSettingsReader): Promise<AppSettings> {
  for (let left = ASKED_TIMES; ; left -= 1) {
    const settings = await github.appSettings();
    if (settings.hook.latest.length > 0 || left === 0) return settings;
    await pause(ASKED_EVERY_MS);
  }
}

function elsewhere({ hook }: AppSettings): Finding {
  return {
    about: "the App's webhook",
    what: `was answered at ${hook.url}, and not by this server: Flotilla would hear nothing`,
    next: "Let the proxy or tunnel there lead to HOST and PORT of this server",
  };
}

function fromGitHub({ body, signature }: ReceivedWebhook, secret: string): boolean {
  const claimed = claimedDigest(signature);
  return claimed !== undefined && isSigned(body, claimed, [createSecretKey(secret, "utf8")]);
}

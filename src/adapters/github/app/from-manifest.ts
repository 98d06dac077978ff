import { z } from "zod";
import { OutsideError } from "../../../domain/kernel/errors.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { createBudget } from "../client/budget.ts";
import { createClient } from "../client/client.ts";
import { readAnswer } from "../client/read-answer.ts";

/** An App that GitHub has just created, with its secrets, which GitHub shows only once. */
export interface MadeApp {
  readonly id: number;
  readonly slug: string;
  /** Address of its page on GitHub, where it is installed. */
  readonly url: string;
  /** The public address that was requested. */
  readonly address: string;
  /** Login of the person or organization that owns it. */
  readonly owner: string;
  /** PEM. */
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** Client ID with which people sign in to the dashboard. */
  readonly clientId: string;
  readonly clientSecret: string;
}

const shape = z.object({
  id: z.int(),
  slug: z.string().optional(),
  html_url: z.string(),
  external_url: z.string(),
  owner: z.object({ login: z.string().optional(), slug: z.string().optional() }),
  pem: z.string().min(1),
  webhook_secret: z.string().nullable(),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
});

/**
 * Exchanges the code that GitHub gave the browser (REST, GitHub Apps: create a GitHub App from a manifest). The code is
 * valid once, for an hour. Throws `GitHubError`, and `OutsideError` for an App without a webhook.
 */
export async function appFromManifest(options: {
  readonly baseUrl: string;
  readonly code: string;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<MadeApp> {
  const budget = createBudget(options.clock, { before: [], add: () => {} });
  const nobody = { account: "app", authorization: async () => undefined } as const;
  const { apps } = createClient({ ...options, budget })(nobody);
  const data = await readAnswer(apps.createFromManifest({ code: options.code }), shape);
  if (data.webhook_secret === null)
    throw new OutsideError("no_webhook", `GitHub made the App ${data.html_url} without a webhook`, {
      consequence: "tell",
      advice: "Set a webhook with a secret in the App's settings, and fill in .env by .env.example.",
    });
  return {
    id: data.id,
    slug: data.slug ?? "",
    url: data.html_url,
    address: data.external_url,
    owner: data.owner.login ?? data.owner.slug ?? "",
    privateKey: data.pem,
    webhookSecret: data.webhook_secret,
    clientId: data.client_id,
    clientSecret: data.client_secret,
  };
}

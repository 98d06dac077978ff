import { z } from "zod";
import type { AppSettingsReader } from "../../../domain/ports/github-app.ts";
import type { Caller, Client } from "../client/client.ts";
import { pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import { momentShape } from "../client/shapes.ts";

/** Levels by permission. Unknown levels are kept as they are. */
const permissionsShape = z.record(z.string(), z.string());

const appShape = z.object({ permissions: permissionsShape, events: z.array(z.string()) });

const hookShape = z
  .object({
    url: z.string().nullish(),
    secret: z.string().nullish(),
    content_type: z.string().nullish(),
    insecure_ssl: z.union([z.string(), z.number()]).nullish(),
  })
  .transform((hook) => ({
    url: hook.url ?? "",
    hasSecret: (hook.secret ?? "") !== "",
    contentType: hook.content_type ?? "form",
    verifiesTls: String(hook.insecure_ssl ?? "0") === "0",
  }));

const outcomeShape = z
  .object({ status_code: z.int(), status: z.string() })
  .transform(({ status_code: statusCode, status }) => ({ statusCode, status }));

/** A person or organization has a login, an enterprise a slug. */
const ownerShape = z.object({ login: z.string().optional(), slug: z.string().optional() }).nullable();

const installationShape = z
  .object({
    account: ownerShape,
    suspended_at: z.string().nullish(),
    created_at: momentShape,
    permissions: permissionsShape,
    events: z.array(z.string()),
  })
  .transform(({ account, suspended_at, created_at, permissions, events }) => ({
    account: account?.login ?? account?.slug ?? "nobody",
    suspended: (suspended_at ?? null) !== null,
    installedAt: Date.parse(created_at),
    permissions,
    events,
  }));

/** Creates the read of the App's own settings (REST, GitHub Apps: apps, webhooks). */
export function createAppSettings(client: Client, app: Caller): AppSettingsReader {
  const { apps } = client(app);
  return {
    async appSettings() {
      const { permissions, events } = await readAnswer(apps.getAuthenticated(), appShape);
      const hook = await readAnswer(apps.getWebhookConfigForApp(), hookShape);
      const deliveries = apps.listWebhookDeliveries({ per_page: 100 });
      const latest = await readAnswer(deliveries, z.array(outcomeShape));
      const installations = pages((page) => apps.listInstallations(page), z.array(installationShape));
      return {
        permissions,
        events,
        hook: { ...hook, latest },
        installations: await Array.fromAsync(installations),
      };
    },
  };
}

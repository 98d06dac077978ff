import type { AppSettings, AppSettingsReader } from "../core/ports/app-settings.ts";
import type { Caller, Client } from "./client.ts";
import { pages } from "./pages.ts";

/** The App's own settings (REST, GitHub Apps: apps, webhooks). */
export function createAppSettings(client: Client, app: Caller): AppSettingsReader {
  const { apps } = client(app).rest;
  return {
    async appSettings() {
      const { data: settings } = await apps.getAuthenticated();
      const { data: hook } = await apps.getWebhookConfigForApp();
      const { data: deliveries } = await apps.listWebhookDeliveries({ per_page: 100 });
      const installations: AppSettings["installations"][number][] = [];
      for await (const { account, suspended_at, created_at, permissions, events } of pages((page) =>
        apps.listInstallations(page),
      )) {
        installations.push({
          account: nameOf(account),
          suspended: suspended_at !== null,
          installedAt: Date.parse(created_at),
          permissions: named(permissions),
          events,
        });
      }
      return {
        permissions: named(settings?.permissions ?? {}),
        events: settings?.events ?? [],
        hook: {
          url: hook.url ?? "",
          hasSecret: (hook.secret ?? "") !== "",
          contentType: hook.content_type ?? "form",
          verifiesTls: String(hook.insecure_ssl ?? "0") === "0",
          latest: deliveries.map(({ status_code: statusCode, status }) => ({ statusCode, status })),
        },
        installations,
      };
    },
  };
}

/** A person or organization has a login, an enterprise a slug; the types know only the first. */
function nameOf(account: { readonly login?: string; readonly slug?: string } | null): string {
  return account?.login ?? account?.slug ?? "nobody";
}

function named(permissions: object): Record<string, string> {
  return Object.fromEntries(Object.entries(permissions).map(([name, level]) => [name, String(level)]));
}

import type { HookAttempt, HookDeliveries } from "../core/ports/hook-deliveries.ts";
import type { Caller, Client } from "./client.ts";

const PER_PAGE = 100;

/** The App's own webhook deliveries (REST, GitHub Apps: webhooks). The list has a cursor and no pages. */
export function createHookDeliveries(client: Client, app: Caller): HookDeliveries {
  const { apps } = client(app).rest;
  return {
    async hookAttempts(since) {
      const attempts: HookAttempt[] = [];
      for (let cursor: string | undefined; ; ) {
        const { data, headers } = await apps.listWebhookDeliveries({
          per_page: PER_PAGE,
          ...(cursor === undefined ? {} : { cursor }),
        });
        for (const { id, guid, event, delivered_at } of data) {
          const at = Date.parse(delivered_at);
          if (at < since) return attempts;
          attempts.push({ id, guid, event, at });
        }
        cursor = cursorOf(headers.link);
        if (cursor === undefined) return attempts;
      }
    },
    async redeliver(attemptId) {
      await apps.redeliverWebhookDelivery({ delivery_id: attemptId });
    },
  };
}

/** The cursor of the page that follows, from the `Link` header. */
function cursorOf(link: string | undefined): string | undefined {
  const next = link?.split(",").find((part) => part.includes('rel="next"'));
  const address = /<([^>]+)>/.exec(next ?? "")?.[1];
  return address === undefined ? undefined : (new URL(address).searchParams.get("cursor") ?? undefined);
}

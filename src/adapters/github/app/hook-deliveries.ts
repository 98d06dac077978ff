import { z } from "zod";
import type { HookAttempt, HookDeliveries } from "../../../domain/ports/github-app.ts";
import type { Caller, Client } from "../client/client.ts";
import { readNow, type Unread } from "../client/read-answer.ts";
import { momentShape } from "../client/shapes.ts";

const PER_PAGE = 100;

const attemptsShape = z.array(
  z
    .object({
      /** Octokit returns a number that is too large for JavaScript as a bigint. */
      id: z.union([z.int(), z.bigint()]),
      guid: z.string().min(1),
      event: z.string(),
      delivered_at: momentShape,
    })
    .transform(({ id, guid, event, delivered_at }) => ({ id, guid, event, at: Date.parse(delivered_at) })),
);

/**
 * Creates the reads of the App's own webhook deliveries (REST, GitHub Apps: webhooks). The list has a cursor instead of
 * pages.
 */
export function createHookDeliveries(client: Client, app: Caller): HookDeliveries {
  const { apps } = client(app);
  return {
    async hookAttempts(since) {
      const attempts: HookAttempt[] = [];
      const cursors = new Set<string>();
      for (let cursor: string | undefined; ; ) {
        const answer = await apps.listWebhookDeliveries({
          per_page: PER_PAGE,
          ...(cursor === undefined ? {} : { cursor }),
        });
        for (const attempt of readNow(answer, attemptsShape)) {
          if (attempt.at < since) return attempts;
          attempts.push(attempt);
        }
        cursor = cursorOf(answer);
        if (cursor === undefined) return attempts;
        if (cursors.has(cursor)) throw answer.misread("Link: it leads to a page that was read before");
        cursors.add(cursor);
      }
    },
    async redeliver(attemptId) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Octokit also writes a bigint into an address; its types allow numbers only
      await apps.redeliverWebhookDelivery({ delivery_id: attemptId as number });
    },
  };
}

/** Returns the cursor of the next page, from the `Link` header. */
function cursorOf({ headers, misread }: Unread): string | undefined {
  const next = String(headers["link"] ?? "")
    .split(",")
    .find((part) => part.includes('rel="next"'));
  if (next === undefined) return undefined;
  const address = URL.parse(/<([^>]+)>/.exec(next)?.[1] ?? "");
  const cursor = address?.searchParams.get("cursor") ?? null;
  if (cursor === null) throw misread("Link: the next page has no cursor");
  return cursor;
}

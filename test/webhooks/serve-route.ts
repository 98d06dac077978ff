import { createHmac } from "node:crypto";
import { once } from "node:events";
import type { DeliveryTable } from "../../src/domain/ports/store.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import type { BodySum } from "../../src/http/request-body.ts";
import { createWebhookRoute, type WebhookRouteOptions } from "../../src/webhooks/receive/webhook-route.ts";
import { createMemoryLog } from "./memory-log.ts";
import { stoppedClock } from "./stopped-clock.ts";

const SECRET = "a secret of thirty-two bytes at least";
export const PREVIOUS = "the secret that was there before this one";
const HEADERS = { "content-type": "application/json", "x-github-event": "issues" };

/** The route on a real server. Close it when done. */
export async function serveRoute(
  deliveries: Pick<DeliveryTable, "insert">,
  options: Partial<
    Pick<WebhookRouteOptions, "clock" | "maxBytes" | "onStored" | "previousSecret" | "underWay">
  > = {},
  bodies?: BodySum,
) {
  const log = createMemoryLog();
  const route = createWebhookRoute({
    secret: SECRET,
    previousSecret: PREVIOUS,
    deliveries,
    clock: stoppedClock(4_200),
    log,
    onStored: () => undefined,
    ...options,
  });
  const server = createHttpServer([route], bodies === undefined ? { log } : { log, bodies });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const { port } = address;
  return {
    log,
    port,
    url: `http://127.0.0.1:${port}/api/github/webhooks`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sign(body: string | Buffer, secret = SECRET): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** Posts a body as GitHub does. Headers that are null are left out. */
export async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string | null> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const all = {
    ...HEADERS,
    "x-github-delivery": "d-1",
    "x-hub-signature-256": sign(Buffer.from(body)),
    ...headers,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const response = await fetch(url, { method: "POST", body, headers: given });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

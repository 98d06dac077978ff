import { type Answer, ApiError, notFound, ok } from "../http/answer.ts";
import { optionalText } from "../http/fields.ts";
import type { Call, Route } from "../http/route.ts";
import type { Delivery } from "../webhooks/deliveries.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { isoSeconds, type World } from "../world/world.ts";

/** Creates the routes of the App's webhook: its settings, its deliveries, and redelivery. */
export function hookRoutes(webhooks: Webhooks): Route[] {
  const find = (call: Call): Delivery => {
    const delivery = webhooks.find(Number(call.params["delivery_id"]));
    if (delivery === undefined) throw notFound();
    return delivery;
  };
  return [
    { operation: "GET /app/hook/config", kind: "app", handle: ({ world }) => ok(renderConfig(world)) },
    {
      operation: "PATCH /app/hook/config",
      kind: "app",
      handle: ({ world, body }) => {
        world.app.hook.url = optionalText(body, "url") ?? world.app.hook.url;
        world.app.hook.secret = optionalText(body, "secret") ?? world.app.hook.secret;
        return ok(renderConfig(world));
      },
    },
    { operation: "GET /app/hook/deliveries", kind: "app", handle: (call) => list(call, webhooks) },
    {
      operation: "GET /app/hook/deliveries/{delivery_id}",
      kind: "app",
      handle: (call) => ok(renderDelivery(call.world, find(call))),
    },
    {
      operation: "POST /app/hook/deliveries/{delivery_id}/attempts",
      kind: "app",
      handle: (call) => {
        webhooks.redeliver(find(call));
        return { status: 202, json: {} };
      },
    },
  ];
}

function succeeded({ statusCode }: Delivery): boolean {
  return statusCode >= 200 && statusCode < 400;
}

function list(call: Call, webhooks: Webhooks): Answer {
  const size = Math.min(Math.max(Number(call.query.get("per_page") ?? 30) || 30, 1), 100);
  const cursor = call.query.get("cursor");
  const before = cursor === null ? Number.POSITIVE_INFINITY : Number(/^v1_(\d+)$/.exec(cursor)?.[1]);
  if (Number.isNaN(before)) throw new ApiError(400, "Invalid cursor");
  const wanted = call.query.get("status");
  const all = webhooks
    .deliveries()
    .filter(
      (delivery) =>
        delivery.id < before && (wanted === null || succeeded(delivery) === (wanted === "success")),
    );
  const page = all.slice(0, size);
  const last = page.at(-1);
  const query = new URLSearchParams(call.query);
  query.set("cursor", `v1_${last?.id ?? 0}`);
  const headers: Record<string, string> =
    all.length > size ? { link: `<${call.world.api}${call.path}?${query.toString()}>; rel="next"` } : {};
  return ok(
    page.map((delivery) => renderItem(call.world, delivery)),
    headers,
  );
}

function renderConfig(world: World): Record<string, unknown> {
  const { url, secret } = world.app.hook;
  return {
    content_type: "json",
    insecure_ssl: "0",
    url: url === "" ? world.origin : url,
    secret: secret === "" ? "" : "********",
  };
}

function renderItem(world: World, delivery: Delivery): Record<string, unknown> {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: isoSeconds(delivery.at),
    redelivery: delivery.redelivery,
    duration: delivery.seconds,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: world.installation.id,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  };
}

function renderDelivery(world: World, delivery: Delivery): Record<string, unknown> {
  return {
    ...renderItem(world, delivery),
    url: delivery.url,
    request: { headers: delivery.requestHeaders, payload: JSON.parse(delivery.body) as unknown },
    response: { headers: delivery.responseHeaders, payload: delivery.responseBody },
  };
}

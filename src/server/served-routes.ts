import { PUBLISHED_NAMES, printSchema } from "../config/published-schema.ts";
import { createSchemaRoute } from "../dashboard/schema-route.ts";
import type { NodeRoles } from "../domain/recovery/node-roles.ts";
import type { Route } from "../http/http-server.ts";
import { createWebhookRoute } from "../webhooks/receive/webhook-route.ts";

/** Returns the route of webhooks where this process takes them. */
export function webhookRoute(
  roles: NodeRoles,
  secret: string | undefined,
  options: Omit<Parameters<typeof createWebhookRoute>[0], "secret">,
): readonly Route[] {
  return roles.has("intake") && secret !== undefined ? [createWebhookRoute({ ...options, secret })] : [];
}

/** Returns the page, its API and the schemas of configuration files; health alone where this process has no page. */
export function pageRoutes(
  roles: NodeRoles,
  { api, page }: { readonly api: Route; readonly page: Route },
): readonly Route[] {
  return roles.has("web") ? [api, page, schemaRoute()] : [healthOf(api)];
}

function schemaRoute(): Route {
  return createSchemaRoute(new Map(PUBLISHED_NAMES.map((name) => [name, () => printSchema(name)] as const)));
}

function healthOf(api: Route): Route {
  return (asked) => (["/healthz", "/readyz"].includes(asked.target.path) ? api(asked) : null);
}

import { randomBytes } from "node:crypto";
import { setCallbacks } from "../auth/web-flow.ts";
import { notFound } from "../http/answer.ts";
import { isObject, type JsonObject } from "../http/fields.ts";
import type { Route } from "../http/route.ts";
import { renderApp } from "../render/app.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { World } from "../world/world.ts";

/** Codes that the page issues when it registers an App from a manifest. Each can be used once. */
export interface Manifests {
  /** Accepts a manifest (JSON text). Returns where to redirect the browser: its redirect_url with the code. */
  readonly submit: (manifest: string, state: string | undefined) => string;
  readonly convert: (code: string) => JsonObject | undefined;
}

export function createManifests(): Manifests {
  const waiting = new Map<string, JsonObject>();
  return {
    submit: (text, state) => {
      const manifest: unknown = JSON.parse(text);
      const redirect = isObject(manifest) ? manifest["redirect_url"] : undefined;
      if (!isObject(manifest) || typeof redirect !== "string")
        throw new SyntaxError("The manifest has no redirect_url.");
      const code = randomBytes(20).toString("hex");
      waiting.set(code, manifest);
      const url = new URL(redirect);
      url.searchParams.set("code", code);
      if (state !== undefined) url.searchParams.set("state", state);
      return url.href;
    },
    convert: (code) => {
      const manifest = waiting.get(code);
      waiting.delete(code);
      return manifest;
    },
  };
}

/**
 * Creates the route that exchanges a code for the App's credentials. It also sets the webhook address of the manifest,
 * and sends a ping to it.
 */
export function manifestRoutes(manifests: Manifests, webhooks: Pick<Webhooks, "queue">): Route[] {
  return [
    {
      operation: "POST /app-manifests/{code}/conversions",
      kind: "open",
      handle: ({ world, params }) => {
        const manifest = manifests.convert(params["code"] ?? "");
        if (manifest === undefined) throw notFound();
        const json = register(world, manifest);
        if (world.app.hook.url !== "")
          webhooks.queue({
            event: "ping",
            action: null,
            body: JSON.stringify(renderPing(world)),
            repositoryId: null,
          });
        return { status: 201, json };
      },
    },
  ];
}

function register(world: World, manifest: JsonObject): Record<string, unknown> {
  const { app } = world;
  const attributes = manifest["hook_attributes"];
  const url = isObject(attributes) ? attributes["url"] : undefined;
  if (typeof url === "string") app.hook.url = url;
  const callbacks = manifest["callback_urls"];
  setCallbacks(app, Array.isArray(callbacks) ? callbacks.map(String) : []);
  app.hook.secret = randomBytes(20).toString("hex");
  return {
    ...renderApp(world),
    client_id: app.clientId,
    client_secret: app.clientSecret,
    webhook_secret: app.hook.secret,
    pem: app.privateKey,
  };
}

/** Renders the ping that a new webhook gets. */
function renderPing({ app, api }: World): Record<string, unknown> {
  const { id, url } = app.hook;
  return {
    zen: "Keep it logically awesome.",
    hook_id: id,
    hook: {
      type: "App",
      id,
      name: "web",
      active: true,
      events: app.events,
      config: { content_type: "json", insecure_ssl: "0", secret: "********", url },
      app_id: app.id,
      deliveries_url: `${api}/app/hook/deliveries`,
      created_at: app.createdAt,
      updated_at: app.createdAt,
    },
  };
}

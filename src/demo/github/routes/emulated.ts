import { createEmulator } from "emulate";
import { type Answer, noContent, notFound } from "../http/answer.ts";
import { isObject, type JsonObject } from "../http/fields.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";

const adminToken = "emulate-admin";
const admin = "octo-admin";

export interface Emulated {
  readonly routes: Route[];
  readonly close: () => Promise<void>;
}

/**
 * Starts `emulate`, which answers the routes that it implements faithfully and that need no state of ours: protection
 * of main, topics and the meta routes. The front answers all others, because emulate lacks them, is too lenient, or
 * uses other ids. The front authenticates callers first.
 */
export async function startEmulated(seed: {
  organization: string;
  repositories: readonly string[];
}): Promise<Emulated> {
  const emulator = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: { [adminToken]: { login: admin, scopes: ["repo", "admin:org"] } },
      github: {
        users: [{ login: admin }],
        orgs: [{ login: seed.organization, members: [{ login: admin, role: "admin" }] }],
        repos: seed.repositories.map((name) => ({ owner: seed.organization, name, auto_init: true })),
      },
    },
  });
  return { routes: emulatedRoutes(emulator.url), close: async () => await emulator.close() };
}

/** Creates the routes that are forwarded to the emulator at `url`. */
export function emulatedRoutes(url: string): Route[] {
  const any = (operation: string): Route => ({
    operation,
    kind: "any",
    handle: async (call) => await forward(url, operation, call),
  });
  const protection = "/repos/{owner}/{repo}/branches/{branch}/protection";
  const onRepository = (operation: string, permission: Parameters<typeof repositoryRoute>[1]): Route =>
    repositoryRoute(operation, permission, async (call) => await forward(url, operation, call), "admin");
  return [
    any("GET /meta"),
    any("GET /zen"),
    onRepository("GET /repos/{owner}/{repo}/topics", "metadata:read"),
    onRepository(`GET ${protection}`, "administration:read"),
    onRepository(`PUT ${protection}`, "administration:write"),
    onRepository(`DELETE ${protection}`, "administration:write"),
  ];
}

async function forward(url: string, operation: string, call: Call): Promise<Answer> {
  const method = operation.slice(0, operation.indexOf(" "));
  const query = call.query.size === 0 ? "" : `?${call.query.toString()}`;
  const response = await fetch(`${url}${call.path}${query}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    ...(method === "GET" || method === "DELETE" ? {} : { body: JSON.stringify(call.body) }),
  });
  // Replaces the emulator's address, which clients must not use, by our own.
  const text = (await response.text())
    .replaceAll(`"html_url":"${url}`, `"html_url":"${call.world.origin}`)
    .replaceAll(url, call.world.api);
  if (response.status === 404) throw notFound();
  if (response.status === 204) return noContent;
  if (response.headers.get("content-type")?.includes("json") !== true) {
    return { status: response.status, text, headers: { "content-type": "text/plain; charset=utf-8" } };
  }
  const json: unknown = JSON.parse(text);
  return { status: response.status, json: isObject(json) ? withoutNulls(json) : json };
}

/** Removes nulls: GitHub leaves out rules that are not set, the emulator shows them as null. */
function withoutNulls(json: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}

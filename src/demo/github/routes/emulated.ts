import { createEmulator } from "emulate";
import { type Answer, notFound } from "../http/answer.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";

const adminToken = "emulate-admin";
const admin = "octo-admin";

export interface Emulated {
  readonly routes: Route[];
  readonly close: () => Promise<void>;
}

/**
 * What emulate answers truly: the organization, its members, branch protection, topics and the meta routes. Everything
 * else of its GitHub is either missing or lenient, so the front answers it. Callers are checked by the front first.
 */
export async function startEmulated(seed: {
  origin: string;
  organization: string;
  people: readonly string[];
  repositories: readonly { name: string; private: boolean }[];
}): Promise<Emulated> {
  const emulator = await createEmulator({
    service: "github",
    port: 0,
    baseUrl: `${seed.origin}/api/v3`,
    seed: {
      tokens: { [adminToken]: { login: admin, scopes: ["repo", "admin:org"] } },
      github: {
        users: [admin, ...seed.people].map((login) => ({ login })),
        orgs: [{ login: seed.organization }],
        repos: seed.repositories.map((repository) => ({
          owner: seed.organization,
          auto_init: true,
          ...repository,
        })),
      },
    },
  });
  return { routes: routesTo(emulator.url), close: async () => await emulator.close() };
}

function routesTo(url: string): Route[] {
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
    any("GET /orgs/{org}"),
    any("GET /orgs/{org}/members"),
    onRepository("GET /repos/{owner}/{repo}/topics", "metadata:read"),
    onRepository(`GET ${protection}`, "administration:read"),
    onRepository(`PUT ${protection}`, "administration:write"),
    onRepository(`DELETE ${protection}`, "administration:write"),
  ];
}

async function forward(url: string, operation: string, call: Call): Promise<Answer> {
  const method = operation.slice(0, operation.indexOf(" "));
  const query = call.query.size === 0 ? "" : `?${call.query}`;
  const response = await fetch(`${url}${call.path}${query}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    ...(method === "GET" || method === "DELETE" ? {} : { body: JSON.stringify(call.body) }),
  });
  const text = await response.text();
  if (response.status === 404) throw notFound();
  if (response.headers.get("content-type")?.includes("json") !== true) {
    return { status: response.status, text, headers: { "content-type": "text/plain; charset=utf-8" } };
  }
  return { status: response.status, json: JSON.parse(text) as unknown };
}

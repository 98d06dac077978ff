import type { Repository } from "../world/records.ts";
import type { Actor, World } from "../world/world.ts";
import type { Answer } from "./answer.ts";
import type { JsonObject } from "./fields.ts";

/** One authenticated API request. `path` has no `/api/v3`. */
export interface Call {
  readonly world: World;
  readonly actor: Actor;
  readonly token: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  readonly accept: string;
}

type Level = "read" | "write";
type Family =
  | "actions"
  | "administration"
  | "checks"
  | "contents"
  | "issues"
  | "metadata"
  | "pull_requests"
  | "statuses";

/** The permission that an installation token needs, and the role that a person needs. */
export interface Need {
  readonly permission: `${Family}:${Level}`;
  readonly role: "read" | "triage" | "write" | "admin";
}

export type Route =
  | {
      readonly operation: string;
      readonly kind: "app" | "any" | "installation" | "open";
      readonly handle: (call: Call) => Answer | Promise<Answer>;
    }
  | {
      readonly operation: string;
      readonly kind: "repository";
      readonly need: Need;
      readonly handle: (call: Call, repository: Repository) => Answer | Promise<Answer>;
    };

/**
 * Defines a route of a repository. `operation` is written as in GitHub's description, such as "GET
 * /repos/{owner}/{repo}". If `role` is left out, GET needs the role read and other methods the role write.
 */
export function repositoryRoute(
  operation: string,
  permission: Need["permission"],
  handle: (call: Call, repository: Repository) => Answer | Promise<Answer>,
  role?: Need["role"],
): Route {
  const usual = permission.endsWith(":write") ? "write" : "read";
  return { operation, kind: "repository", need: { permission, role: role ?? usual }, handle };
}

const wide = new Set(["path", "ref", "branch", "basehead"]);

/**
 * Creates a function that finds the route of a method and an undecoded path; the one with the most literal segments
 * wins.
 */
export function createRouter(
  routes: readonly Route[],
): (method: string, path: string) => { route: Route; params: Record<string, string> } | undefined {
  const compiled = routes.map(compile).toSorted((a, b) => b.literals - a.literals);
  return (method, path) => {
    for (const { route, pattern, names } of compiled) {
      const match = pattern.exec(`${method} ${path}`);
      if (match === null) continue;
      const params: Record<string, string> = {};
      for (const [index, name] of names.entries()) params[name] = decodeSafely(match[index + 1] ?? "");
      return { route, params };
    }
    return undefined;
  };
}

function compile(route: Route): { route: Route; pattern: RegExp; names: string[]; literals: number } {
  const names: string[] = [];
  const source = route.operation
    .split(/(\{[a-z_]+\})/)
    .map((part) => {
      if (!part.startsWith("{")) return part.replace(/[.+?^$()|[\]\\]/g, "\\$&");
      const name = part.slice(1, -1);
      names.push(name);
      return wide.has(name) ? "(.+)" : "([^/]+)";
    })
    .join("")
    // The path of a repository's top is empty, and clients leave out the slash before it.
    .replace("/contents/(.+)", "/contents(?:/(.*))?");
  const literals = route.operation.split("/").filter((part) => !part.startsWith("{")).length;
  return { route, pattern: new RegExp(`^${source}$`), names, literals };
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

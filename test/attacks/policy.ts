import type { SeenRequest } from "../../src/demo/github/http/observe.ts";

/** What our App may write, and no more; reading is its repository alone. */
export interface Allowed {
  /** `owner/name` of the one repository. */
  readonly repository: string;
  readonly repositoryId: number;
  /** Issues that agents work on, and the pull requests from their branches. */
  readonly own: ReadonlySet<number>;
  /** Comments that our App has written. */
  readonly comments: ReadonlySet<number>;
  readonly branch: RegExp;
}

interface Rule {
  readonly method: string;
  /** Below the repository's path. */
  readonly path: RegExp;
  readonly allows?: (found: { readonly id: number; readonly body: Fields }, allowed: Allowed) => boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const own: Rule["allows"] = ({ id }, allowed) => allowed.own.has(id);
const comment: Rule["allows"] = ({ id }, allowed) => allowed.comments.has(id);

const WRITES: readonly Rule[] = [
  { method: "POST", path: /^\/issues\/(\d+)\/comments$/, allows: own },
  { method: "PATCH", path: /^\/issues\/comments\/(\d+)$/, allows: comment },
  { method: "POST", path: /^\/issues\/(\d+)\/labels$/, allows: own },
  { method: "DELETE", path: /^\/issues\/(\d+)\/labels\/[^/]+$/, allows: own },
  { method: "POST", path: /^\/issues\/(\d+)\/dependencies\/blocked_by$/, allows: own },
  { method: "POST", path: /^\/issues\/comments\/\d+\/reactions$/ },
  { method: "POST", path: /^\/issues$/ },
  { method: "POST", path: /^\/labels$/ },
  {
    method: "POST",
    path: /^\/pulls$/,
    allows: ({ body }, { branch }) => branch.test(String(body["head"])) && body["base"] === "main",
  },
  { method: "PATCH", path: /^\/pulls\/(\d+)$/, allows: own },
];

/** The requests of our App that no rule allows, as `METHOD path`. */
export function outside(requests: readonly SeenRequest[], allowed: Allowed): string[] {
  return requests
    .filter((request) => !isAllowed(request, allowed))
    .map(({ method, path }) => `${method} ${path}`);
}

function isAllowed({ method, path, body }: SeenRequest, allowed: Allowed): boolean {
  const fields = typeof body === "object" && body !== null ? { ...body } : {};
  const home = `/repos/${allowed.repository}`;
  if (path === home || path.startsWith(`${home}/`)) {
    if (method === "GET") return true;
    const below = path.slice(home.length);
    return WRITES.some((rule) => {
      const found = rule.method === method ? rule.path.exec(below) : null;
      return found !== null && (rule.allows?.({ id: Number(found[1]), body: fields }, allowed) ?? true);
    });
  }
  if (method === "POST" && /^\/app\/installations\/\d+\/access_tokens$/.test(path))
    return isTokenOf(fields, allowed.repositoryId);
  // What it is, where it is installed, what was delivered to it, and its own account.
  return method === "GET" && /^\/(app(\/.*)?|users\/[^/]+|installation\/repositories|rate_limit)$/.test(path);
}

/** A token is asked for one repository, or for reading what the App itself is. */
function isTokenOf(body: Fields, repositoryId: number): boolean {
  const ids = body["repository_ids"];
  if (Array.isArray(ids)) return ids.every((id) => id === repositoryId);
  return JSON.stringify(body["permissions"]) === '{"metadata":"read"}';
}

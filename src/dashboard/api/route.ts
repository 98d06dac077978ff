import type { z } from "zod";
import type { Answer } from "../../http/answer.ts";
import type { ApiParts, RouteAsked, Streamed, ViewerAsked } from "./parts.ts";
import type { QueryParameter } from "./query-parameter.ts";

interface Described {
  readonly method: "get" | "post";
  /** `{name}` stands for one part of the path, decoded. */
  readonly path: `/${string}`;
  /** Name of the operation, unique, for generated clients. */
  readonly name: string;
  readonly summary: string;
  readonly group: RouteGroup;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly body?: z.ZodType;
  /** What a 200 carries; with `streams` one of its events. */
  readonly answer: z.ZodType;
  readonly streams?: true;
  /** The type of a 200 that is no JSON. */
  readonly media?: string;
  /** What a 503 carries besides a refusal. */
  readonly unavailable?: z.ZodType;
}

export type RouteGroup = "system" | "overview" | "agents" | "work" | "records" | "acts";

/** Answers everybody. */
interface OpenRoute extends Described {
  readonly open: true;
  readonly run: (parts: ApiParts, asked: RouteAsked) => Promise<Answer>;
}

/** Answers those who send a token or a cookie. */
interface ViewerRoute extends Described {
  readonly open?: never;
  readonly run: (parts: ApiParts, asked: ViewerAsked) => Promise<Streamed>;
}

/**
 * One operation of the API. Routing, the check of what is asked, and the document for programs all come from it, so that
 * nothing is served that is not described.
 */
export type ApiRoute = OpenRoute | ViewerRoute;

/** Returns the route of a request, with what its path names; undefined where there is none. */
export function findRoute(
  routes: readonly ApiRoute[],
  method: string,
  segments: readonly string[],
): { readonly route: ApiRoute; readonly at: Readonly<Record<string, string>> } | undefined {
  for (const route of routes) {
    const at = route.method === method ? placesIn(route.path, segments) : null;
    if (at !== null) return { route, at };
  }
  return undefined;
}

/** Returns what the path has in place of each `{name}`; null if it is another path. */
function placesIn(template: string, segments: readonly string[]): Readonly<Record<string, string>> | null {
  const parts = template.slice(1).split("/");
  if (parts.length !== segments.length) return null;
  const at: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const given = segments[index] ?? "";
    const name = placeName(part);
    if (name === undefined) {
      if (part !== given) return null;
    } else at[name] = given;
  }
  return at;
}

function placeName(part: string): string | undefined {
  return /^\{([a-z]+)\}$/.exec(part)?.[1];
}

/** Returns the names that stand in braces in a path. */
export function placeNames(path: string): readonly string[] {
  return path.split("/").flatMap((part) => placeName(part) ?? []);
}

/** Returns the refusal of a query that the route's definition does not allow; null if it is fine. */
export function queryFault({ query = {} }: Pick<ApiRoute, "query">, given: URLSearchParams): Answer | null {
  for (const [name, { schema, hint, required }] of Object.entries(query)) {
    const text = given.get(name);
    const isFine = text === null ? required !== true : schema.safeParse(valueOf(schema, text)).success;
    if (!isFine) return invalid(hint);
  }
  return null;
}

function valueOf(schema: z.ZodType, text: string): unknown {
  if (schema.def.type !== "number") return text;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** Returns the parsed body, or the refusal of one that the route's definition does not allow. */
export function bodyOf(
  schema: z.ZodType | undefined,
  json: unknown,
): { readonly body: unknown } | { readonly refused: Answer } {
  if (schema === undefined) return { body: undefined };
  const { success, data, error } = schema.safeParse(json);
  if (success) return { body: data };
  const [first] = error.issues;
  return {
    refused: invalid(
      `${first?.path.join(".") || "the body"}: ${first === undefined ? "another value" : plainFault(first)}`,
    ),
  };
}

/** Says in plain words what is wrong with a value. */
function plainFault(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_big" && issue.origin === "string")
    return `write at most ${issue.maximum.toLocaleString("en")} characters`;
  if (issue.code === "too_small" && issue.origin === "string") return "it is empty";
  return issue.message;
}

export function invalid(hint: string): Answer {
  return { status: 400, body: { error: "invalid_argument", hint } };
}

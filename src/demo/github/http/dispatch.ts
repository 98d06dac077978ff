import { createHash } from "node:crypto";
import { demand } from "../auth/allow.ts";
import { authenticate } from "../auth/authenticate.ts";
import type { Tokens } from "../auth/tokens.ts";
import type { Repository } from "../world/records.ts";
import { type Actor, fullNameOf, type World } from "../world/world.ts";
import { type Answer, ApiError, forbidden, notFound } from "./answer.ts";
import { isObject } from "./fields.ts";
import type { Observe } from "./observe.ts";
import { type RateLimits, rateLimitHeaders } from "./rate-limits.ts";
import type { Call, createRouter, Need, Route } from "./route.ts";
import type { SecondaryLimits } from "./secondary-limits.ts";

export interface ApiRequest {
  readonly method: string;
  /** Without `/api/v3` and the query, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly accept: string;
  readonly ifNoneMatch: string | undefined;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
}

export type Dispatch = (request: ApiRequest) => Promise<{ answer: Answer; actor: string }>;

/** Creates the handler of API requests: authenticates, authorizes and answers them. Writes run one at a time. */
export function createDispatch(parts: {
  world: World;
  tokens: Tokens;
  limits: RateLimits;
  secondary?: SecondaryLimits;
  find: ReturnType<typeof createRouter>;
  oneWrite: <T>(job: () => Promise<T>) => Promise<T>;
  observe: Observe;
}): Dispatch {
  const { world, tokens, limits, secondary, find, oneWrite, observe } = parts;
  return async (request) => {
    const { method, path, query, body, authorization } = request;
    observe.request?.({ method, path, query, body, authorization });
    let actor = "";
    let limitHeaders: Record<string, string> = {};
    let counted: { readonly end: () => void } | undefined;
    const act = async (): Promise<Answer> => {
      const found = find(method, path);
      const open = found?.route.kind === "open";
      const caller: { actor: Actor; token: string } = open
        ? { actor: { kind: "app", account: world.app.bot }, token: "" }
        : authenticate(world, tokens, authorization);
      actor = caller.actor.kind === "app" ? world.app.slug : caller.actor.account.login;
      const rate = limits.count(caller.token);
      limitHeaders = rateLimitHeaders(rate);
      if (rate.used > rate.limit) throw forbidden("API rate limit exceeded");
      // The App has only one installation here, so all its tokens share that installation's limits.
      if (!open && caller.actor.kind !== "person")
        counted = secondary?.begin(caller.actor.kind, method, path);
      if (found === undefined) throw notFound();
      const { accept } = request;
      const call: Call = {
        world,
        ...caller,
        path,
        params: found.params,
        query,
        body: readBody(body),
        accept,
      };
      return await run(found.route, call);
    };
    const answer = await (method === "GET" ? act() : oneWrite(act))
      .catch(answerError)
      .finally(() => counted?.end());
    const finished = withEntityTag(request, withHeaders(answer, limitHeaders));
    const contentType = finished.headers?.["content-type"];
    observe.response?.({
      method,
      path,
      status: finished.status,
      contentType,
      body: finished.json ?? finished.text,
    });
    return { answer: finished, actor };
  };
}

async function run(route: Route, call: Call): Promise<Answer> {
  if (route.kind === "repository") {
    const { owner, repo } = call.params;
    const repository = call.world.repositories.get(`${owner}/${repo}`.toLowerCase());
    if (repository === undefined) return sentOn(route.operation, call, `${owner}/${repo}`);
    demand(call.actor, repository, route.need, alternativeFor(route.need, call, repository));
    if (repository.archived && route.need.permission.endsWith(":write") && !("archived" in call.body))
      throw forbidden("Repository was archived so is read-only.");
    return await route.handle(call, repository);
  }
  if (route.kind === "app" && call.actor.kind !== "app") {
    throw new ApiError(401, "A JSON web token could not be decoded");
  }
  if (route.kind === "installation" && call.actor.kind !== "installation") {
    throw forbidden("You must authenticate with an installation access token in order to use this endpoint.");
  }
  return await route.handle(call);
}

/** Redirects a request for a renamed repository, for those who may see it: 301 for reads, 307 for writes. */
function sentOn(operation: string, { world, actor, path, query }: Call, name: string): Answer {
  const repository = world.renamed.get(name.toLowerCase());
  if (repository === undefined) throw notFound();
  demand(actor, repository, { permission: "metadata:read", role: "read" });
  const search = query.size === 0 ? "" : `?${query.toString()}`;
  const url = `${world.api}/repos/${fullNameOf(repository)}${path
    .split("/")
    .slice(4)
    .map((part) => `/${part}`)
    .join("")}${search}`;
  return {
    status: operation.startsWith("GET ") ? 301 : 307,
    json: { message: "Moved Permanently", url, documentation_url: "https://docs.github.com/rest" },
    headers: { location: url },
  };
}

/**
 * Returns the permission for pull requests if an issue's route is used on a pull request; either permission is enough.
 */
function alternativeFor(need: Need, call: Call, repository: Repository): Need | undefined {
  const [family, level] = need.permission.split(":");
  if (family !== "issues") return undefined;
  const comment = repository.comments.get(Number(call.params["comment_id"]));
  const number = comment?.issueNumber ?? Number(call.params["issue_number"]);
  if (!repository.issues.get(number)?.pull) return undefined;
  return { permission: level === "write" ? "pull_requests:write" : "pull_requests:read", role: need.role };
}

function readBody(body: unknown): Call["body"] {
  if (body === undefined || body === null) return {};
  if (Array.isArray(body)) return { labels: body };
  if (!isObject(body)) throw new ApiError(400, "Body should be a JSON object");
  return body;
}

function answerError(error: unknown): Answer {
  if (error instanceof ApiError) return { status: error.status, json: error.body, headers: error.headers };
  throw error;
}

function withHeaders(answer: Answer, more: Record<string, string>): Answer {
  const type = answer.json === undefined ? {} : { "content-type": "application/json; charset=utf-8" };
  return {
    ...answer,
    headers: { "x-github-media-type": "github.v3; format=json", ...type, ...more, ...answer.headers },
  };
}

/** Adds an ETag to the answer of a read. Answers 304 if the client already has that version. */
function withEntityTag(request: ApiRequest, answer: Answer): Answer {
  if (request.method !== "GET" || answer.status !== 200) return answer;
  const content = answer.text ?? JSON.stringify(answer.json);
  const etag = `W/"${createHash("sha256").update(content).update(request.accept).digest("hex")}"`;
  const headers = {
    ...answer.headers,
    etag,
    "cache-control": "private, max-age=60, s-maxage=60",
    vary: "Accept, Authorization",
  };
  if (request.ifNoneMatch !== etag) return { ...answer, headers };
  const { "content-type": _type, ...rest } = headers as Record<string, string>;
  return { status: 304, headers: rest };
}

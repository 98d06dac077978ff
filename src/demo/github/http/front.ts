import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import type { Tokens } from "../auth/tokens.ts";
import { TOKEN_PATH, type WebFlow } from "../auth/web-flow.ts";
import { readGitPath } from "../git/smart-http.ts";
import type { World } from "../world/world.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest, Dispatch } from "./dispatch.ts";
import type { Fault, Faults } from "./faults.ts";
import { isObject } from "./fields.ts";
import { handleGit, unheard } from "./git-front.ts";
import type { LoggedRequest } from "./request-log.ts";

const apiPrefix = "/api/v3";
const graphPath = /^\/api\/graphql$/;

export type PageHandler = (method: string, url: URL, form: URLSearchParams) => Promise<Answer>;

/** Creates the only HTTP listener: API under /api/v3, git, and pages for people. Simulates faults and keeps the log. */
export function createFront(parts: {
  world: World;
  tokens: Tokens;
  flow: Pick<WebFlow, "exchange">;
  oneWrite: <T>(job: () => Promise<T>) => Promise<T>;
  dispatch: Dispatch;
  pages: PageHandler;
  faults: Faults;
  log: (entry: LoggedRequest) => void;
}): RequestListener {
  const { world, dispatch, pages, faults, log } = parts;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = request.method ?? "GET";
    const url = new URL(request.url ?? "/", world.origin);
    const api = url.pathname.startsWith(`${apiPrefix}/`) || graphPath.test(url.pathname);
    const path = url.pathname.startsWith(`${apiPrefix}/`)
      ? url.pathname.slice(apiPrefix.length)
      : url.pathname.replace(graphPath, "/graphql");
    const note = (status: number, actor: string): void =>
      log({ method, path, status, actor, at: world.nowMs() });
    const git = readGitPath(method, url);
    const fault = faults.take(method, path);
    if (fault?.kind === "status" || fault?.kind === "reset-before") {
      // The body is read before the fault: an answer while the client still sends would break the connection.
      await readBytes(request);
      note(play(fault, response), "");
      return;
    }
    if (git !== undefined) {
      const { status, actor } = await handleGit(
        parts,
        request,
        fault === undefined ? response : unheard(),
        git,
      );
      note(fault === undefined ? status : play(fault, response), actor);
      if (fault === undefined) response.end();
      return;
    }
    const bytes = await readBytes(request);
    const { answer, actor } = api
      ? await answerApi(dispatch, request, url, path, bytes)
      : { answer: await answerPage(request, url, bytes), actor: "" };
    if (fault !== undefined) note(play(fault, response), actor);
    else {
      note(answer.status, actor);
      send(response, answer);
    }
  };

  /** A token is exchanged on a page route, not in the API. */
  const answerPage = async (request: IncomingMessage, url: URL, bytes: Buffer): Promise<Answer> => {
    const { method = "GET", headers } = request;
    const form = new URLSearchParams(bytes.toString());
    if (method !== "POST" || url.pathname !== TOKEN_PATH) return await pages(method, url, form);
    const json = headers["content-type"]?.includes("json") === true ? parseJson(bytes)?.value : undefined;
    return parts.flow.exchange(isObject(json) ? json : Object.fromEntries(form), headers.accept ?? "");
  };

  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A bug in the local GitHub must be visible to the test that triggers it.
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: `The local GitHub failed: ${message}` }));
    });
  };
}

async function answerApi(
  dispatch: Dispatch,
  request: IncomingMessage,
  url: URL,
  path: string,
  bytes: Buffer,
): Promise<{ answer: Answer; actor: string }> {
  const parsed = parseJson(bytes);
  if (parsed === undefined) {
    return { answer: { status: 400, json: { message: "Problems parsing JSON" } }, actor: "" };
  }
  const header = (name: string): string | undefined => request.headers[name]?.toString();
  const apiRequest: ApiRequest = {
    method: request.method ?? "GET",
    path,
    query: url.searchParams,
    authorization: header("authorization"),
    accept: header("accept") ?? "",
    ifNoneMatch: header("if-none-match"),
    body: parsed.value,
  };
  return await dispatch(apiRequest);
}

function parseJson(bytes: Buffer): { value: unknown } | undefined {
  if (bytes.length === 0) return { value: undefined };
  try {
    return { value: JSON.parse(bytes.toString()) as unknown };
  } catch {
    return undefined;
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  await finished(request);
  return Buffer.concat(chunks);
}

function play(fault: Fault, response: ServerResponse): number {
  if (fault.kind === "silent-after") return 0;
  if (fault.kind === "reset-before" || fault.kind === "reset-after") {
    response.socket?.resetAndDestroy();
    return 0;
  }
  const status = fault.status ?? 500;
  send(response, {
    status,
    json: { message: fault.message ?? "Server Error" },
    headers: fault.headers ?? {},
  });
  return status;
}

function send(response: ServerResponse, answer: Answer): void {
  const type = answer.json === undefined ? {} : { "content-type": "application/json; charset=utf-8" };
  response.writeHead(answer.status, { server: "github.com", ...type, ...answer.headers });
  response.end(answer.text ?? (answer.json === undefined ? undefined : JSON.stringify(answer.json)));
}

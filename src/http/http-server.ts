import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { messageOf } from "../domain/kernel/errors.ts";
import type { Log } from "../domain/ports/log.ts";
import { refuseSocket } from "./refuse-socket.ts";
import { BodySum, type ReadBody, readBody } from "./request-body.ts";
import { type RequestTarget, readTarget } from "./request-target.ts";

/** A request as a route receives it. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  /** Reads the body. `keep: false` discards it while it arrives. */
  readonly body: (limits: { readonly maxBytes: number; readonly keep?: boolean }) => Promise<ReadBody>;
}

/** Answers a request. Returns null if the request is for another route. */
export type Route = (asked: Asked) => Promise<void> | null;

/** Maximum of all bodies in progress together: five webhooks of GitHub's maximum size. */
const MOST_BODY_BYTES = 128 * 1024 * 1024;
const MOST_CONNECTIONS = 512;
const HEADERS_MS = 15_000;
const REQUEST_MS = 30_000;
/** How often Node checks both timeouts. */
const CHECK_MS = 5_000;
/** A connection without traffic for this long is closed: its reader does not accept the answer. */
const IDLE_MS = 120_000;
/** Maximum of requests of one connection that wait for their answers; only an attacker pipelines more. */
const MOST_WAITING = 16;
const LONGEST_PATH = 200;

/** Creates a server that offers each request to the routes in order. No request can end the process. */
export function createHttpServer(
  routes: readonly Route[],
  { log, bodies = new BodySum(MOST_BODY_BYTES) }: { readonly log: Log; readonly bodies?: BodySum },
): Server {
  const limits = {
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_MS,
  };
  const waiting = new WeakMap<Duplex, number>();
  const server = createServer(limits, (request, response) => {
    const { socket } = request;
    const before = waiting.get(socket) ?? 0;
    if (before === MOST_WAITING) return void socket.destroy();
    waiting.set(socket, before + 1);
    response.once("close", () => {
      if (!socket.destroyed) waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    });
    answer(routes, request, response, bodies).catch((error: unknown) => fail(request, response, error, log));
  });
  server.on("connection", parseInSmallParts);
  server.timeout = IDLE_MS;
  server.maxConnections = MOST_CONNECTIONS;
  // Without a listener Node drops CONNECT without an answer. Node ignores `Upgrade`, so it is answered like any other
  // request.
  server.on("connect", (_, socket: Duplex) => refuseSocket(socket, "405 Method Not Allowed"));
  // An error before the server listens belongs to the caller of `listen`.
  server.once("listening", () => {
    server.on("error", (error) => log.error({ error: messageOf(error) }, "listener failed"));
  });
  return server;
}

/** Answers with a line of text. */
export function answerText(
  { request, response }: Pick<Asked, "request" | "response">,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...afterUnread(request),
    ...headers,
  });
  response.end(text);
}

/**
 * Returns the headers for an answer to a request whose body was not read completely: the connection closes, and the
 * rest is not read.
 */
export function afterUnread({ complete, headers }: IncomingMessage): { readonly connection?: "close" } {
  // Even a request without a body is not complete while its headers are being handled.
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return complete || !hasBody ? {} : { connection: "close" };
}

async function answer(
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
  bodies: BodySum,
): Promise<void> {
  // A peer that disconnects in the middle is not an error of ours.
  request.on("error", () => request.destroy());
  response.on("error", () => response.destroy());
  const target = readTarget(request.url);
  if (target === null) return answerText({ request, response }, 400, "This address cannot be read\n");
  const body: Asked["body"] = (limits) => readBody(request, { ...limits, sum: bodies });
  for (const route of routes) {
    const answered = route({ request, response, target, body });
    if (answered !== null) return answered;
  }
  answerText({ request, response }, 404, "Not found\n");
}

function fail(request: IncomingMessage, response: ServerResponse, error: unknown, log: Log): void {
  const path = request.url?.split("?", 1)[0]?.slice(0, LONGEST_PATH);
  log.error({ error: messageOf(error), method: request.method, path }, "request failed");
  if (response.headersSent) response.destroy();
  else answerText({ request, response }, 500, "The log says more\n");
}

/** Node reads up to 64 KiB at once, which can hold more than two thousand requests. */
const PART_BYTES = 4096;

/**
 * Passes the data of an HTTP connection to Node's parser in small parts. Without this, Node parses all requests of one
 * read, even after the first of them has closed the connection.
 */
function parseInSmallParts(socket: Socket): void {
  const [parse] = socket.listeners("data");
  if (parse === undefined) return;
  // A listener of our own makes Node's server read from the stream instead of the handle.
  socket.removeAllListeners("data");
  socket.on("data", (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      // After CONNECT or the last answer Node has released its parser.
      if (socket.writableEnded || socket.destroyed) return;
      // Too many answers are waiting in memory: Node pauses the socket until they have been sent.
      if (socket.isPaused()) {
        socket.unshift(bytes.subarray(at));
        return;
      }
      parse.call(socket, bytes.subarray(at, at + PART_BYTES));
    }
  });
}

import { createHash, timingSafeEqual } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { makeOwnDirectory } from "../process/agent-files.ts";
import { MOST_BYTES } from "./asked-call.ts";

/** Longer paths are cut off by the system, and lead elsewhere. */
const LONGEST_PATH = 100;
const MOST_CONNECTIONS = 64;
/** Bytes of all requests of one agent that are being received. */
const MOST_RECEIVED = 2 * MOST_BYTES;
const RECEIVED_WITHIN_MS = 120_000;
const IDLE_MS = 120_000;

/** Answers what comes in below its name. The request's path is the rest; its signal fires when the agent goes away. */
export type SocketHandler = (request: Request) => Promise<Response>;

export interface SocketParts {
  /** Below a directory that is made for its owner alone. */
  readonly path: string;
  /** What the agent is given in place of a key; each request must bring it. */
  readonly token: string;
  /** By the first name of the path. */
  readonly handlers: Readonly<Record<string, SocketHandler>>;
  readonly log: Log;
}

export interface SessionSocket {
  /** Ends all connections and removes the socket. */
  close(): Promise<void>;
}

/** Opens the socket by which the agent of one session reaches the host. Rejects where it cannot be opened. */
export async function openSessionSocket(parts: SocketParts): Promise<SessionSocket> {
  const { path } = parts;
  if (Buffer.byteLength(path) > LONGEST_PATH)
    throw new Error(`the path of a socket has at most ${LONGEST_PATH} bytes: ${path}`);
  await makeOwnDirectory(dirname(path));
  await rm(path, { force: true });
  const receiver = new Receiver(parts);
  const server = createServer({ requestTimeout: RECEIVED_WITHIN_MS, keepAliveTimeout: IDLE_MS });
  server.maxConnections = MOST_CONNECTIONS;
  server.on("request", (request, response) => void receiver.serve(request, response));
  server.on("clientError", (_, socket) => socket.destroy());
  await listen(server, path);
  await chmod(path, 0o600);
  return { close: () => close(server) };
}

function listen(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(path, resolve);
  return promise;
}

function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}

class Receiver {
  readonly #parts: SocketParts;
  readonly #token: Buffer;
  #receiving = 0;

  constructor(parts: SocketParts) {
    this.#parts = parts;
    this.#token = digest(parts.token);
  }

  /** Never rejects. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    try {
      await send(await this.#answer(request, gone.signal), response);
    } catch (error) {
      this.#parts.log.debug({ detail: messageOf(error) }, "request of an agent not answered");
      response.destroy();
    }
  }

  async #answer(request: IncomingMessage, signal: AbortSignal): Promise<Response> {
    const [, name = "", rest = ""] = /^\/([a-z]+)(?=[/?]|$)(.*)$/.exec(request.url ?? "") ?? [];
    const url = new URL(`http://flotilla.invalid${rest.startsWith("/") ? "" : "/"}${rest}`);
    if (!this.#isAllowed(request, url))
      return refusal(403, "wrong_token", "only the session's own agent is heard");
    url.searchParams.delete("key");
    const handler = Object.hasOwn(this.#parts.handlers, name) ? this.#parts.handlers[name] : undefined;
    if (handler === undefined) return refusal(404, "not_found", "there is nothing here");
    const body = await this.#receive(request);
    if (body === null) return refusal(413, "too_large", `a request has at most ${MOST_BYTES} bytes`);
    const { method = "GET" } = request;
    const init = { method, headers: headersOf(request), signal };
    return handler(new Request(url, /^(?:GET|HEAD)$/.test(method) ? init : { ...init, body }));
  }

  #isAllowed({ headers }: IncomingMessage, { searchParams }: URL): boolean {
    const given = [
      headers.authorization?.replace(/^Bearer /i, ""),
      headers["x-api-key"],
      headers["api-key"],
      headers["x-goog-api-key"],
      searchParams.get("key"),
    ];
    return given.some((one) => typeof one === "string" && timingSafeEqual(digest(one), this.#token));
  }

  /** Returns null for a body that is too large, or comes while too much else does. */
  async #receive(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
    const chunks: Uint8Array[] = [];
    let received = 0;
    try {
      for await (const chunk of request as AsyncIterable<Uint8Array>) {
        received += chunk.byteLength;
        this.#receiving += chunk.byteLength;
        if (received > MOST_BYTES || this.#receiving > MOST_RECEIVED) return null;
        chunks.push(chunk);
      }
      return new Uint8Array(Buffer.concat(chunks));
    } finally {
      this.#receiving -= received;
    }
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function headersOf({ headers }: IncomingMessage): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) given.set(name, Array.isArray(value) ? value.join(", ") : value);
  return given;
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}

/** Rejects when the agent goes away, or the answer breaks off; then the answer is given up. */
async function send(answer: Response, response: ServerResponse): Promise<void> {
  const headers = [...answer.headers].filter(
    ([name]) => !/^(?:connection|keep-alive|transfer-encoding)$/.test(name),
  );
  response.writeHead(answer.status, Object.fromEntries(headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  // The agent learns of the answer before the model has written its first word.
  response.flushHeaders();
  await pipeline(answer.body, response);
}

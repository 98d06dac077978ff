import { chmodSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { type AtCrashPoint, neverCrash } from "../core/crash-points.ts";
import { messageOf } from "../core/errors.ts";
import { faultJson, OperationError } from "../core/operation-fault.ts";
import type { Log } from "../core/ports/log.ts";
import { type Answered, act, type ControlContext } from "./control-acts.ts";

/** Longest request that is read. */
const MAX_BODY_BYTES = 256 * 1024;

/** Where commands reach the serving process of a data directory. */
export function controlSocket(dataDir: string): string {
  return join(dataDir, "control.sock");
}

interface Serving extends ControlContext {
  readonly log: Log;
  readonly crashPoint?: AtCrashPoint;
}

/**
 * Listens on `control.sock` (0600) for commands that act: who can open the file may act. The data directory's lock is
 * held, so a socket that lies there is a leftover. Returns the function that ends it.
 */
export async function startControl(
  options: Serving & { readonly dataDir: string },
): Promise<() => Promise<void>> {
  const path = controlSocket(options.dataDir);
  rmSync(path, { force: true });
  const server = createServer((request, response) => void respond(options, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  };
}

async function respond(context: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const answer = await answered(context, request, gone.signal).catch((error: unknown): Answered => {
    context.log.error({ error: messageOf(error) }, "a command failed");
    const fault = new OperationError({ code: "internal", detail: "the command failed" });
    return { status: 500, body: { error: faultJson(fault) } };
  });
  const { crashPoint = neverCrash } = context;
  crashPoint("command:done");
  response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
}

async function answered(
  context: ControlContext,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<Answered> {
  const text = await bodyOf(request);
  return act(context, { path: request.url ?? "", body: text === "" ? {} : JSON.parse(text), signal });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new Error("a request to the control socket is too long");
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}

import { chmodSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { messageOf } from "../core/errors.ts";
import type { Log } from "../core/ports/log.ts";
import type { Store } from "../core/ports/store.ts";

/** Where commands reach the serving process of a data directory. */
export function controlSocket(dataDir: string): string {
  return join(dataDir, "control.sock");
}

/**
 * Listens on `control.sock` (0600) for commands that act: who can open the file may act. The data directory's lock is
 * held, so a socket that lies there is a leftover. Returns the function that ends it.
 */
export async function startControl(options: {
  readonly dataDir: string;
  readonly store: Store;
  /** Called when a delivery is pending again. */
  readonly poke: () => void;
  readonly log: Log;
}): Promise<() => Promise<void>> {
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

async function respond(
  options: Parameters<typeof startControl>[0],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await act(options, request).catch((error: unknown) => {
    options.log.error({ error: messageOf(error) }, "a command failed");
    return { status: 500, body: { error: "internal", hint: "the log of the serving process says more" } };
  });
  response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
}

async function act(
  { store, poke }: Parameters<typeof startControl>[0],
  request: IncomingMessage,
): Promise<{ status: number; body: object }> {
  const guid = /^\/deliveries\/([0-9a-fA-F-]{1,64})\/replay$/.exec(request.url ?? "")?.[1];
  if (request.method !== "POST" || guid === undefined)
    return { status: 404, body: { error: "not_found", hint: "this version knows no such act" } };
  if (!(await store.deliveries.replay(guid)))
    return {
      status: 404,
      body: {
        error: "not_found",
        hint: "no settled delivery has that id; `flotilla deliveries list` shows them",
      },
    };
  poke();
  return { status: 200, body: { replayed: guid } };
}

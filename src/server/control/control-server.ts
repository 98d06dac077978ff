import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { faultJson, OperationError } from "../../domain/commands/operation-fault.ts";
import { type AtCrashPoint, neverCrash } from "../../domain/kernel/crash-points.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Log } from "../../domain/ports/log.ts";
import { type Asked, createHttpServer } from "../../http/http-server.ts";
import { type Answered, act, type ControlContext } from "./control-acts.ts";

/** Maximum size of a request body. */
const MAX_BODY_BYTES = 256 * 1024;

/** Returns the path where commands reach the serving process of a data directory. */
export function controlSocket(dataDir: string): string {
  return join(dataDir, "control.sock");
}

interface Serving extends ControlContext {
  readonly log: Log;
  readonly crashPoint?: AtCrashPoint;
}

/**
 * Listens on `control.sock` (0600) for commands that act: anyone who can open the file may act. We hold the data
 * directory's lock, so an existing socket is a leftover. Returns the function that closes it.
 */
export async function startControl(
  options: Serving & { readonly dataDir: string },
): Promise<() => Promise<void>> {
  const path = controlSocket(options.dataDir);
  rmSync(path, { force: true });
  const server = createHttpServer([(asked) => respond(options, asked)], options);
  // `agents wait` answers only when the agent reaches the state, or its client gives up.
  server.timeout = 0;
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

async function respond(context: Serving, asked: Asked): Promise<void> {
  const { response } = asked;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const answer = await answered(context, asked, gone.signal).catch((error: unknown): Answered => {
    context.log.error({ error: messageOf(error) }, "control command failed");
    return refused(500, new OperationError({ code: "internal", detail: "the command failed" }));
  });
  if (answer === "gone") return;
  const { crashPoint = neverCrash } = context;
  crashPoint("command:done");
  response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
}

async function answered(
  context: ControlContext,
  { target, body: read }: Asked,
  signal: AbortSignal,
): Promise<Answered | "gone"> {
  const bytes = await read({ maxBytes: MAX_BODY_BYTES });
  if (bytes === "gone") return "gone";
  const body = typeof bytes === "string" ? undefined : jsonOf(bytes.toString("utf8"));
  if (body === undefined)
    return refused(
      400,
      new OperationError({ code: "invalid_argument", argument: "body", expected: "JSON of at most 256 KiB" }),
    );
  return act(context, { path: target.path, body, signal });
}

function refused(status: number, fault: OperationError): Answered {
  return { status, body: { error: faultJson(fault) } };
}

/** Parses JSON. An empty text means no arguments; undefined means invalid JSON. */
function jsonOf(text: string): unknown {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

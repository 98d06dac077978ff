import { chmodSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Command } from "../../domain/ports/runner.ts";
import type { ServiceEnd, ServiceHost } from "../../domain/ports/service-host.ts";
import { bundledFile } from "../../domain/settings/bundled-file.ts";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

const SCRIPT = fileURLToPath(bundledFile("inside/services.ts", import.meta.url));
const SOCKET = "host.sock";
/** The longest line that the confined side sends has some kilobytes. */
const LONGEST_LINE = 65_536;
/** Characters of an output. */
const LONGEST_OUTPUT = 4_000;

const told = z.union([
  z.strictObject({ ready: z.string(), holds: z.boolean() }),
  z.strictObject({ log: z.string(), text: z.string() }),
  z.strictObject({
    ended: z.string(),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    text: z.string(),
  }),
]);

/**
 * Creates the host's side. Only the first connection is served, and the script connects before it starts anything, so
 * that nothing else inside can speak for it.
 */
export async function createServiceHost(): Promise<ServiceHost> {
  const directory = makeTemporaryDirectory("services");
  const asking = new Map<string, ((answer: string) => void)[]>();
  const listeners: ((end: ServiceEnd) => void)[] = [];
  const unsent: string[] = [];
  const over = new Set<string>();
  let inside: Socket | undefined;
  let isClosed = false;

  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    server.close();
    inside?.destroy();
    for (const resolve of [...asking.values()].flat()) resolve("");
    asking.clear();
    rmSync(directory, { recursive: true, force: true });
  };
  const send = (asked: object): void => {
    if (isClosed) return;
    const line = `${JSON.stringify(asked)}\n`;
    if (inside === undefined) unsent.push(line);
    else inside.write(line);
  };
  const ask = (key: "ready" | "log", name: string): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    if (isClosed) resolve("");
    else asking.set(`${key} ${name}`, [...(asking.get(`${key} ${name}`) ?? []), resolve]);
    send({ [key]: name });
    return promise;
  };
  const hear = (line: string): void => {
    const { data } = told.safeParse(parsed(line));
    if (data === undefined) return;
    if ("ended" in data) {
      const { ended, text, ...how } = data;
      if (over.has(ended)) return;
      over.add(ended);
      for (const listener of listeners) listener({ name: ended, ...how, log: text.slice(-LONGEST_OUTPUT) });
      return;
    }
    const answer = "log" in data ? data.text.slice(-LONGEST_OUTPUT) : String(data.holds);
    asking.get("log" in data ? `log ${data.log}` : `ready ${data.ready}`)?.shift()?.(answer);
  };

  const server = createServer((socket) => {
    if (inside !== undefined) return void socket.destroy();
    inside = socket;
    server.close();
    socket.on("error", () => socket.destroy());
    socket.on("close", close);
    let unfinished = 0;
    socket.on("data", (chunk: Buffer) => {
      const lineEnd = chunk.lastIndexOf("\n");
      unfinished = lineEnd === -1 ? unfinished + chunk.length : chunk.length - lineEnd;
      if (unfinished > LONGEST_LINE) socket.destroy();
    });
    // The reader of lines passes on the socket's error, which would otherwise end our process.
    createInterface({ input: socket })
      .on("line", hear)
      .on("error", () => socket.destroy());
    for (const line of unsent.splice(0)) socket.write(line);
  });
  const path = join(directory, SOCKET);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  server.on("error", close);
  chmodSync(path, 0o600);
  return {
    directory,
    start: (service) => send({ start: service }),
    isReady: async (name) => (await ask("ready", name)) === "true",
    log: (name) => ask("log", name),
    release: () => send({ release: true }),
    onEnd: (listener) => void listeners.push(listener),
    close,
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Returns the command behind the script that starts services beside it. `place` = the directory in which the confined
 * side sees the socket's directory and the script; null where it sees the host's paths.
 */
export function besideServices(
  command: Command,
  { directory }: Pick<ServiceHost, "directory">,
  place: string | null,
): { readonly command: Command; readonly mounts: readonly string[] } {
  // Inside, there is no package.json beside the script that would declare it a module.
  const script = place === null ? SCRIPT : `${place}/services.${SCRIPT.endsWith(".js") ? "mjs" : "ts"}`;
  const seen = place === null ? directory : `${place}/services`;
  return {
    command: {
      ...command,
      file: process.execPath,
      // SIGUSR1 would open node's debugger, through which any process inside could write to the command's streams.
      args: ["--disable-sigusr1", script, join(seen, SOCKET), command.file, ...command.args],
    },
    mounts: place === null ? [] : ["--ro-bind", directory, seen, "--ro-bind", SCRIPT, script],
  };
}

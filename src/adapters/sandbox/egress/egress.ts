import { chmodSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { makeTemporaryDirectory } from "../temporary-directory.ts";
import { createEgressProxy, type Outside } from "./proxy.ts";

/** Network access of all sandboxes of a Flotilla: one proxy per list of hosts. */
export interface Egress {
  /** Returns the absolute path of the directory with the proxy's socket, `proxy.sock`, for these hosts. */
  readonly directoryFor: (hosts: readonly string[]) => Promise<string>;
  /** Closes all tunnels. Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates the egress. Its sockets are in a directory in the system's temporary directory: below a data directory their
 * path could be too long.
 */
export function createEgress(log: Log, outside?: Outside): Egress {
  const open = new Map<string, Promise<{ readonly directory: string; readonly server: Server }>>();
  return {
    async directoryFor(hosts) {
      const key = [...hosts].toSorted().join(" ");
      const opened = open.get(key) ?? listen(hosts, log, outside);
      open.set(key, opened);
      return (await opened).directory;
    },
    async close() {
      const opened = await Promise.all(open.values());
      open.clear();
      for (const { directory, server } of opened) {
        server.close();
        server.closeAllConnections();
        rmSync(directory, { recursive: true, force: true });
      }
    },
  };
}

async function listen(hosts: readonly string[], log: Log, outside: Outside | undefined) {
  const directory = makeTemporaryDirectory("egress");
  const server = createEgressProxy(
    hosts,
    ({ target, allowed }) => {
      if (allowed) log.debug({ target }, "sandbox connected to an allowed host");
      else log.warn({ target }, "sandbox connection refused: the host is not allowed");
    },
    outside,
  );
  const socket = join(directory, "proxy.sock");
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  server.on("error", (error) => log.error({ error: messageOf(error) }, "listener failed"));
  chmodSync(socket, 0o600);
  return { directory, server };
}

import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isHostName } from "../../../domain/access/host-name.ts";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { makeTemporaryDirectory } from "../temporary-directory.ts";
import { createEgressProxy, type Outside } from "./proxy.ts";

/** A proxy of one command's own, so that what it refuses is known to be this command's. */
interface WayOut {
  /** The absolute path of the directory with the proxy's socket. */
  readonly directory: string;
  /** Returns the names, each once, that were asked for and are not allowed. */
  refusedHosts(): readonly string[];
  /** Closes all tunnels and removes the directory. Idempotent. */
  close(): void;
}

/** Network access of all sandboxes of a Flotilla: one proxy per list of hosts for agents, and one per command. */
export interface Egress {
  /** Opens a proxy for one command. */
  readonly open: (hosts: readonly string[]) => Promise<WayOut>;
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
  const shared = new Map<string, Promise<WayOut>>();
  const own = new Set<WayOut>();
  return {
    async open(hosts) {
      const opened = await listen(hosts, log, outside);
      own.add(opened);
      return {
        ...opened,
        close() {
          own.delete(opened);
          opened.close();
        },
      };
    },
    async directoryFor(hosts) {
      const key = [...hosts].toSorted().join(" ");
      const opened = shared.get(key) ?? listen(hosts, log, outside);
      shared.set(key, opened);
      return (await opened).directory;
    },
    async close() {
      const opened = [...(await Promise.all(shared.values())), ...own];
      shared.clear();
      own.clear();
      for (const each of opened) each.close();
    },
  };
}

/** Refused names that are kept: a command could ask for any number. */
const MOST_REFUSED = 20;

async function listen(hosts: readonly string[], log: Log, outside: Outside | undefined): Promise<WayOut> {
  const directory = makeTemporaryDirectory("egress");
  const refused = new Set<string>();
  const server = createEgressProxy(
    hosts,
    ({ target, allowed }) => {
      if (allowed) return log.debug({ target }, "sandbox connected to an allowed host");
      const host = hostOf(target);
      if (host !== null && refused.size < MOST_REFUSED) refused.add(host);
      log.warn({ target }, "sandbox connection refused: the host is not allowed");
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
  return {
    directory,
    refusedHosts: () => [...refused],
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Returns the name of the host that a refused request names; null for an address or another request. */
function hostOf(target: string): string | null {
  const name = /^([\w.-]+):\d+$/.exec(target)?.[1]?.toLowerCase();
  return name !== undefined && isHostName(name) ? name : null;
}

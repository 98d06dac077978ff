import { chmodSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { isHostName } from "../../../domain/access/host-name.ts";
import { registryFiles, registrySocket, type TokenRegistry } from "../../../domain/access/registry.ts";
import { privateHostText } from "../../../domain/access/registry-texts.ts";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Log } from "../../../domain/ports/log.ts";
import type { Reach } from "../../../domain/ports/runner.ts";
import { makeTemporaryDirectory } from "../temporary-directory.ts";
import type { Outside } from "./outside.ts";
import { createEgressProxy } from "./proxy.ts";
import { createRegistryGateway } from "./registry-gateway.ts";

/** What a command may reach of the network. */
export type NetworkReach = Pick<Reach, "hosts" | "registries">;

/** A proxy of one command's own, so that what it refuses is known to be this command's. */
interface WayOut {
  /** The absolute path of the directory with the sockets of proxy and registries, and the registries' files. */
  readonly directory: string;
  /** Returns the names, each once, that were asked for and are not allowed. */
  refusedHosts(): readonly string[];
  /** Returns sentences, each once, on why what is allowed could not be had. */
  readonly refusals: () => readonly string[];
  /** Closes all tunnels and removes the directory. Idempotent. */
  close(): void;
}

/** Network access of all sandboxes of a Flotilla: a way out per reach of agents, and one per command. */
export interface Egress {
  /** Opens a way out for one command. */
  readonly open: (reach: NetworkReach) => Promise<WayOut>;
  /** Returns the absolute path of the directory of the way out that agents with this reach share. */
  readonly directoryFor: (reach: NetworkReach) => Promise<string>;
  /** Closes all connections. Idempotent. */
  close(): Promise<void>;
}

/** What the operator permits, and the network; by default nothing, and the real one. */
export interface EgressOptions {
  readonly registries?: readonly TokenRegistry[];
  /** Names that may lead into a private network. */
  readonly privateHosts?: readonly string[];
  readonly outside?: Outside;
  /** The most bytes of one answer of a registry. */
  readonly mostBytes?: number;
}

/**
 * Creates the egress. Its sockets are in a directory in the system's temporary directory: below a data directory their
 * path could be too long.
 */
export function createEgress(log: Log, options: EgressOptions = {}): Egress {
  const shared = new Map<string, Promise<WayOut>>();
  const own = new Set<WayOut>();
  return {
    async open(reach) {
      const opened = await listen(reach, log, options);
      own.add(opened);
      return {
        ...opened,
        close() {
          own.delete(opened);
          opened.close();
        },
      };
    },
    async directoryFor(reach) {
      const key = [...reach.hosts.toSorted(), reach.registries].join(" ");
      const opened = shared.get(key) ?? listen(reach, log, options);
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

/** Refused names, and reasons, that are kept: a command could ask for any number. */
const MOST_REFUSED = 20;

async function listen(reach: NetworkReach, log: Log, options: EgressOptions): Promise<WayOut> {
  const directory = makeTemporaryDirectory("egress");
  const refused = new Set<string>();
  const reasons = new Set<string>();
  const because = (why: string) => {
    if (reasons.size < MOST_REFUSED) reasons.add(why);
  };
  const servers: Server[] = [];
  const at = async (name: string, server: Server) => {
    servers.push(server);
    await listenAt(join(directory, name), server, log);
  };
  if (reach.hosts.length > 0)
    await at("proxy.sock", proxyFor(reach.hosts, refused, because, { log, ...options }));
  if (reach.registries) await openRegistries(directory, at, because, { log, ...options });
  return {
    directory,
    refusedHosts: () => [...refused],
    refusals: () => [...reasons],
    close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface Permitted extends EgressOptions {
  readonly log: Log;
}

function proxyFor(
  hosts: readonly string[],
  refused: Set<string>,
  because: (why: string) => void,
  { log, ...options }: Permitted,
): Server {
  return createEgressProxy(
    hosts,
    ({ target, allowed, privateHost }) => {
      if (allowed) return log.debug({ target }, "sandbox connected to an allowed host");
      if (privateHost !== null) {
        because(privateHostText(privateHost));
        return log.warn({ target }, "sandbox connection refused: the host leads into a private network");
      }
      const host = hostOf(target);
      if (host !== null && refused.size < MOST_REFUSED) refused.add(host);
      log.warn({ target }, "sandbox connection refused: the host is not allowed");
    },
    options,
  );
}

async function openRegistries(
  directory: string,
  at: (name: string, server: Server) => Promise<void>,
  because: (why: string) => void,
  { log, registries = [], privateHosts = [], outside, mostBytes }: Permitted,
): Promise<void> {
  for (const { name, text } of registryFiles(registries)) writeFileSync(join(directory, name), text);
  for (const [index, registry] of registries.entries())
    await at(
      registrySocket(index),
      createRegistryGateway(registry, {
        at: index,
        privateHosts,
        outside,
        mostBytes,
        refused(why) {
          because(why);
          log.warn({ registry: registry.url, why }, "registry gave nothing to a sandbox");
        },
      }),
    );
}

async function listenAt(socket: string, server: Server, log: Log): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  server.on("error", (error) => log.error({ error: messageOf(error) }, "listener failed"));
  chmodSync(socket, 0o600);
}

/** Returns the name of the host that a refused request names; null for an address or another request. */
function hostOf(target: string): string | null {
  const name = /^([\w.-]+):\d+$/.exec(target)?.[1]?.toLowerCase();
  return name !== undefined && isHostName(name) ? name : null;
}

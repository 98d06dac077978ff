import { rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { HostPort } from "../../domain/ports/runner.ts";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

/** The port in each sandbox, whose loopback is its own; the proxy's and the registries' follow. */
const PORT_INSIDE = 3127;
const SOCKET = "host.sock";

/** Returns the port by which the forwarder inside leads to a socket. */
export function portInside(): HostPort {
  const directory = makeTemporaryDirectory("port");
  return { port: PORT_INSIDE, path: join(directory, SOCKET), close: () => remove(directory) };
}

/** Listens at a free port of this machine's loopback and passes each connection to the socket. */
export async function openPort(): Promise<HostPort> {
  const directory = makeTemporaryDirectory("port");
  const path = join(directory, SOCKET);
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ path, allowHalfOpen: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => open.delete(socket));
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.on("error", () => server.close());
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    path,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
      remove(directory);
    },
  };
}

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

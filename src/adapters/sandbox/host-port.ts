import { connect, createServer, type Socket } from "node:net";
import type { HostPort } from "../../domain/ports/runner.ts";

/** The port in each sandbox, whose loopback is its own; the proxy's and the registries' follow. */
const PORT_INSIDE = 3127;

/** Returns the port by which the forwarder inside leads to the socket. */
export function portInside(path: string): HostPort {
  return { port: PORT_INSIDE, path, close: () => undefined };
}

/** Listens at a free port of this machine's loopback and passes each connection to the socket. */
export async function openPort(path: string): Promise<HostPort> {
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
    },
  };
}

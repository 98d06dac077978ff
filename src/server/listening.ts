import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on the operator's address, and returns its URL. Rejects if the address is in use. */
export async function listen(server: Server, at: { host: string; port: number }): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(at.port, at.host, resolve);
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : at.port;
  return `http://${at.host.includes(":") ? `[${at.host}]` : at.host}:${port}`;
}

/** Stops accepting connections. Resolves after the last answer, or after 2 s. */
export async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), 2000).unref();
  await done;
}

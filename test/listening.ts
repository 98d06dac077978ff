import type { Server } from "node:net";
import { onTestFinished } from "vitest";

/** Opens the server on a free port of the loopback address, until the test ends. Returns the port. */
export async function portOf(server: Server & { closeAllConnections?: () => void }): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

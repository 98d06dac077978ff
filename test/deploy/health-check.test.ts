import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const [, COMMAND = ""] =
  /^HEALTHCHECK [^\n]*\n\s+CMD (\[.*\])$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];

/** Exit code of the image's health check against a server that answers so; null for no server. */
async function checked(status: number | null): Promise<unknown> {
  const server = createServer((request, response) =>
    response.writeHead(request.url === "/healthz" ? (status ?? 500) : 404).end(),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  if (status === null) await new Promise((closed) => void server.close(closed));
  const [, ...args] = z.array(z.string()).parse(JSON.parse(COMMAND));
  const child = spawn(process.execPath, args, { env: { PORT: String(port) } });
  const [code]: unknown[] = await once(child, "exit");
  return code;
}

test("the image is healthy while /healthz says so, and not when it says no or nobody answers", async () => {
  expect(await Promise.all([checked(200), checked(503), checked(null)])).toEqual([0, 1, 1]);
});

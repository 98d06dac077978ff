import { createServer } from "node:http";
import { createServer as createOther } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { StartupRefused } from "../../src/domain/kernel/errors.ts";
import { closed, listen } from "../../src/server/listening.ts";
import { portOf } from "../listening.ts";

const faultsAt = (host: string, port: number) =>
  listen(createServer(), { host, port }).then(
    () => [],
    (error: unknown) => (error instanceof StartupRefused ? error.faults : [String(error)]),
  );

test("a free address is listened on", async () => {
  const server = createServer();
  onTestFinished(() => closed(server));
  expect(await listen(server, { host: "127.0.0.1", port: 0 })).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test("an address of another machine is refused in a sentence", async () => {
  expect(await faultsAt("192.0.2.1", 3000)).toEqual([
    "192.0.2.1:3000: is no address of this machine. Set HOST to one of its addresses, or to 127.0.0.1.",
  ]);
});

test("a port that is taken is refused in a sentence", async () => {
  const port = await portOf(createOther());
  expect(await faultsAt("127.0.0.1", port)).toEqual([
    expect.stringContaining(
      "is taken by another program: webhooks would go to that one. Stop it, or set PORT.",
    ),
  ]);
});

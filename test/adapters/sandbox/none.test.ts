import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createUnconfinedRunner } from "../../../src/adapters/sandbox/none.ts";
import { describeRunner } from "../../contracts/runner.ts";
import { describeServices } from "../../contracts/runner-services.ts";
import { createFakeClock } from "../../fakes/clock.ts";

describeRunner("none", createUnconfinedRunner);
describeServices("none", createUnconfinedRunner);

test("a port that is closed takes no connection, and ends those that it passes on", async () => {
  const port = await createUnconfinedRunner(createFakeClock(0)).port();
  const host = createServer((socket) => void socket.resume());
  await once(host.listen(port.path), "listening");
  onTestFinished(() => void host.close());
  const client = connect(port.port, "127.0.0.1");
  await once(host, "connection");
  port.close();
  await once(client, "close");
  await expect(once(connect(port.port, "127.0.0.1"), "connect")).rejects.toMatchObject({
    code: "ECONNREFUSED",
  });
});

test("says aloud that agents run unconfined", () => {
  const clock = createFakeClock(0);
  expect(createUnconfinedRunner(clock).description).toContain("agents run unconfined");
});

test("does not run a program without the files that keep it to its role", async () => {
  const runner = createUnconfinedRunner(createFakeClock(0));
  const command = { file: "/bin/true", args: [], cwd: "/", env: {} };
  const reach = { writable: [], readable: [], hosts: [], registries: false };
  const shownAt = [{ path: "/tmp/rules", seenAt: "/etc/agent/rules" }];
  await expect(runner.confine(command, { ...reach, shownAt })).rejects.toMatchObject({
    code: "command_not_started",
    message: "only a sandbox can show an agent /etc/agent/rules",
    advice: expect.stringContaining("mode: bubblewrap"),
  });
  expect(await runner.confine(command, { ...reach, shownAt: [] })).toMatchObject({ file: "/bin/true" });
});

import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createServiceHost } from "../../../src/adapters/sandbox/service-host.ts";

test("a confined side that dies with something unread ends nothing but its own connection", async () => {
  const host = await createServiceHost();
  onTestFinished(() => host.close());
  const heard = new Promise((resolve) => host.onEnd(resolve));
  const inside = connect(join(host.directory, "host.sock")).pause();
  inside.write(`${JSON.stringify({ ended: "other", exitCode: 0, signal: null, text: "" })}\n`);
  await heard;
  const asked = host.isReady("redis");
  // What it was asked lies unread when it goes: the kernel resets the connection.
  inside.destroy();
  expect(await asked).toBe(false);
  expect(await host.log("redis")).toBe("");
});

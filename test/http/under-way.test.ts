import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { InFlightCount } from "../../src/http/under-way.ts";
import { post, serveRoute, sign } from "../webhooks/serve-route.ts";

it("counts work from its beginning to its end, also what fails", async () => {
  const underWay = new InFlightCount();
  expect(underWay.any()).toBe(false);
  const first = Promise.withResolvers<number>();
  const second = Promise.withResolvers<void>();
  const one = underWay.during(() => first.promise);
  const two = underWay.during(() => second.promise);
  expect(underWay.any()).toBe(true);
  first.resolve(1);
  expect(await one).toBe(1);
  expect(underWay.any()).toBe(true);
  second.reject(new Error("it failed"));
  await expect(two).rejects.toThrow("it failed");
  expect(underWay.any()).toBe(false);
});

it("counts a webhook once its signature is right, so that a body that arrives slowly makes nothing wait", async () => {
  const underWay = new InFlightCount();
  const stored: boolean[] = [];
  const insert = () => Promise.resolve(void stored.push(underWay.any()));
  const served = await serveRoute({ insert }, { underWay });
  onTestFinished(() => served.close());
  const slow = connect(served.port, "127.0.0.1");
  onTestFinished(() => void slow.destroy());
  await once(slow, "connect");
  const headers = [
    "host: localhost",
    "content-type: application/json",
    `x-hub-signature-256: ${sign("{}")}`,
    "content-length: 2",
  ];
  slow.write(`POST /api/github/webhooks HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n{`);
  const forged = await post(served.url, "{}", { "x-hub-signature-256": sign("{}", "another secret") });
  expect([forged.status, underWay.any(), stored]).toEqual([401, false, []]);
  expect((await post(served.url, "{}")).status).toBe(202);
  expect([underWay.any(), stored]).toEqual([false, [true]]);
});

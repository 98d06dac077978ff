import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { BodySum } from "../../src/http/request-body.ts";
import { createMemoryInbox } from "./memory-inbox.ts";
import { post, serveRoute } from "./serve-route.ts";

const PIECE = 64 * 1024;

it("answers 503 while all bodies together are too much, and takes webhooks again when they are gone", async () => {
  const bodies = new BodySum(4 * PIECE);
  const inbox = createMemoryInbox();
  const served = await serveRoute(inbox, {}, bodies);
  onTestFinished(() => served.close());
  const holder = connect(served.port, "127.0.0.1").on("error", () => undefined);
  const unsigned = `Content-Type: application/json\r\nX-Hub-Signature-256: sha256=${"0".repeat(64)}`;
  holder.write(
    `POST /api/github/webhooks HTTP/1.1\r\nHost: a\r\n${unsigned}\r\nContent-Length: 1000000\r\n\r\n`,
  );
  holder.write(Buffer.alloc(4 * PIECE, 32));
  await expect.poll(() => bodies.held).toBe(4 * PIECE);
  const refused = await post(served.url, "{}");
  expect(refused).toMatchObject({ status: 503, text: "Try again later\n" });
  holder.resetAndDestroy();
  await expect.poll(() => bodies.held).toBe(0);
  expect((await post(served.url, "{}")).status).toBe(202);
  expect([inbox.rows.size, bodies.held]).toEqual([1, 0]);
});

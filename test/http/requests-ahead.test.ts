import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import type { Route } from "../../src/http/http-server.ts";
import { listening } from "./listening.ts";
import { sendRaw, statusesIn } from "./raw-requests.ts";

const fine: Route = async ({ response }) => void response.end("fine");

it("closes a connection on which more requests wait for their answers than a client would send", async () => {
  let asked = 0;
  const { at, ask } = await listening(async ({ response }) => {
    asked += 1;
    response.end("fine");
  });
  const answer = await sendRaw(at, "GET /fine HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2000));
  expect(asked).toBeLessThanOrEqual(16);
  expect(statusesIn(answer).length).toBeLessThanOrEqual(16);
  expect(statusesIn(await ask("GET /fine"))).toEqual([200]);
});

it("parses little of what such a connection sends", async () => {
  const { at, server } = await listening(fine);
  let parsed = 0;
  server.on("request", () => {
    parsed += 1;
  });
  await sendRaw(at, "GET /fine HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20_000));
  expect(parsed).toBeLessThan(200);
});

it("continues with a connection that did not take its answers for a while", async () => {
  const { at } = await listening(async ({ response }) => void response.end("x".repeat(100_000)));
  const socket = connect(at);
  let taken = 0;
  for (let round = 0; round < 40; round += 1) {
    socket.pause();
    // More than one part of bytes, so that Node refuses the later ones while the answers wait.
    socket.write(`GET /fine HTTP/1.1\r\nHost: a\r\nx: ${"y".repeat(1000)}\r\n\r\n`.repeat(16));
    for (let part = 0; part < 16 * 100_000; ) {
      const bytes: Buffer | null = socket.read();
      if (bytes === null) await once(socket, "readable");
      else part += String(bytes).split("x").length - 1;
      taken += bytes?.length ?? 0;
    }
  }
  socket.destroy();
  expect(taken).toBeGreaterThan(40 * 16 * 100_000);
});

it("takes no byte after CONNECT for a request", async () => {
  const { at, ask } = await listening(fine);
  const request = "GET /fine HTTP/1.1\r\nHost: a\r\n\r\n";
  const answer = await sendRaw(at, `CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n${request.repeat(1000)}`);
  expect(statusesIn(answer)).toEqual([405]);
  expect(statusesIn(await ask("GET /fine"))).toEqual([200]);
});

it("answers any number of requests on a connection whose client waits for each answer", async () => {
  const { at } = await listening(fine);
  const socket = connect(at);
  for (let sent = 0; sent < 100; sent += 1) {
    socket.write("GET /fine HTTP/1.1\r\nHost: a\r\n\r\n");
    const [answer]: Buffer[] = await once(socket, "data");
    expect(statusesIn(String(answer))).toEqual([200]);
  }
  socket.destroy();
});

import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  BAD_TARGETS,
  brokenRequest,
  randomRequest,
  readAll,
  sendRaw,
  statusesIn,
} from "../http/raw-requests.ts";
import { randomOf } from "../random.ts";
import { aScenario } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { secretsOf } from "./secrets-of.ts";

const MIB = 1024 * 1024;
let journey: Journey;

beforeAll(async () => {
  journey = await startJourney({ scenario: aScenario({ conversations: [] }) });
}, 180_000);
afterAll(() => journey.close());

const url = () => journey.served().url;
const at = () => ({ host: "127.0.0.1", port: Number(new URL(url()).port) });
const health = async () => (await fetch(`${url()}/healthz`)).status;
const signIn = async (token: string) =>
  (await fetch(`${url()}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status;
const under = async (path: string, host: string) =>
  statusesIn(await sendRaw(at(), `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`))[0];
const memory = (): number => {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${journey.served().pid}/status`, "utf8"));
  return Number(line?.[1]) * 1024;
};

it.each(BAD_TARGETS)("a serving process survives a request for %s", async (target) => {
  const answer = await sendRaw(at(), `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  expect(statusesIn(answer)).toHaveLength(1);
  expect(statusesIn(answer)[0]).not.toBe(500);
  expect(await health()).toBe(200);
});

it("answers ten thousand random requests and survives thousands of broken ones, without an internal error", async () => {
  const random = randomOf(161_116);
  for (let round = 0; round < 625; round += 1) {
    const requests = Array.from({ length: 16 }, () => randomRequest(random));
    const statuses = statusesIn(await sendRaw(at(), requests.join("")));
    expect(statuses).toHaveLength(16);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  }
  for (let round = 0; round < 100; round += 1)
    await Promise.all(Array.from({ length: 20 }, () => sendRaw(at(), brokenRequest(random))));
  expect(await health()).toBe(200);
  expect(journey.served().log()).not.toContain("request failed");
}, 120_000);

it("limits the memory for forty unsigned bodies of 24 MiB, and accepts webhooks again when they are gone", async () => {
  const before = memory();
  const half = Buffer.alloc(24 * MIB, 32);
  const sockets = Array.from({ length: 40 }, () => connect(at()));
  const answers = sockets.map(readAll);
  await Promise.all(
    sockets.map((socket) => {
      socket.write(
        `POST /api/github/webhooks HTTP/1.1\r\nHost: hook.example.org\r\nContent-Type: application/json\r\nX-Hub-Signature-256: sha256=${"0".repeat(64)}\r\nContent-Length: ${25 * MIB}\r\n\r\n`,
      );
      // Resolves when it is accepted, or the connection is closed.
      return new Promise((done) => socket.write(half, done));
    }),
  );
  expect(memory() - before).toBeLessThan(450 * MIB);
  expect(await health()).toBe(200);
  for (const socket of sockets) socket.destroy();
  const refused = (await Promise.all(answers)).flatMap(statusesIn);
  expect(refused.length).toBeGreaterThan(30);
  expect(new Set(refused)).toEqual(new Set([503]));
  await expect
    .poll(async () => (await fetch(`${url()}/api/github/webhooks`, { method: "POST", body: "{}" })).status)
    .toBe(415);
}, 120_000);

it("disconnects three hundred senders that never finish their requests, and answers others meanwhile", async () => {
  const begun = "POST /api/github/webhooks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  const unfinished = [begun, `${begun}Content-Length: 1000\r\n\r\n{`];
  const sockets = Array.from({ length: 300 }, () => connect(at()));
  const answers = sockets.map(readAll);
  for (const [index, socket] of sockets.entries()) socket.write(unfinished[index % 2] ?? "");
  expect(await health()).toBe(200);
  // The senders wait for the server to close the connection: without a limit this would wait forever.
  const statuses = (await Promise.all(answers)).flatMap(statusesIn);
  expect(new Set(statuses)).toEqual(new Set([408]));
  expect(statuses.length).toBeGreaterThan(280);
  expect(await health()).toBe(200);
}, 120_000);

it("answers 429 to a thousand wrong tokens, logs that in one line, and accepts the right token", async () => {
  const statuses: number[] = [];
  for (let round = 0; round < 1000; round += 1) statuses.push(await signIn(`guess ${round}`));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(900);
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  expect(await signIn(secretsOf(journey.served().pid).DASHBOARD_TOKEN)).toBe(200);
  expect(journey.served().log().split("sign-ins refused").length - 1).toBeLessThan(3);
}, 120_000);

it("answers only under its own host names, except for webhooks and health checks", async () => {
  for (const path of ["/", "/api/me", "/metrics", "/sign-in/github", "/page/x"])
    expect([path, await under(path, "evil.test")]).toEqual([path, 421]);
  expect(await under("/", "flotilla.example.org")).toBe(421);
  for (const path of ["/healthz", "/readyz"])
    expect([path, await under(path, "evil.test")]).toEqual([path, 200]);
  expect(await under("/api/github/webhooks", "evil.test")).toBe(405);
  await journey.restart("SIGTERM", { FLOTILLA_HOSTS: "flotilla.example.org" });
  expect(await under("/", "flotilla.example.org:443")).toBe(200);
  expect(await under("/", "evil.test")).toBe(421);
}, 120_000);

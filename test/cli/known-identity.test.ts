import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GitHubError, StartupRefused } from "../../src/domain/kernel/errors.ts";
import { identityFromController, knownIdentity } from "../../src/server/known-identity.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { createFakeClock } from "../fakes/clock.ts";

const ME = { slug: "flotilla", appId: 5, botLogin: "flotilla[bot]", botId: 99 };
const log = { debug() {}, info() {}, warn() {}, error() {} };
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "identity-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const asked = (identity: () => Promise<typeof ME>, appId = 5) =>
  knownIdentity({ github: { identity }, appId, dataDir, apiUrl: "https://api.example.com", log });
const unavailable = async (): Promise<never> => {
  throw new GitHubError("unavailable", "connect ECONNREFUSED", 0, { consequence: "retry" });
};

const wrongKey = async (): Promise<never> => {
  throw new GitHubError("unauthorized", "Bad credentials", 401, {
    consequence: "tell",
    advice: "Make a new key.",
  });
};

test("is asked, and remembered where only we can read it", async () => {
  expect(await asked(async () => ME)).toEqual(ME);
  expect(statSync(join(dataDir, "identity.json")).mode & 0o777).toBe(0o600);
});

test("a start while GitHub is down continues with what is remembered", async () => {
  await asked(async () => ME);
  expect(await asked(unavailable)).toEqual(ME);
});

test("another App than the remembered one is not taken for it", async () => {
  await asked(async () => ME);
  await expect(asked(unavailable, 6)).rejects.toThrow("cannot be reached");
});

test("without a memory the start is refused, and the address named", async () => {
  await expect(asked(unavailable)).rejects.toThrow(StartupRefused);
  await expect(asked(unavailable)).rejects.toThrow("https://api.example.com cannot be reached");
});

test("an App that GitHub does not accept is refused although it is remembered", async () => {
  await asked(async () => ME);
  await expect(asked(wrongKey)).rejects.toThrow(
    /does not accept the App 5 .*check APP_ID.* Make a new key\./,
  );
});

test("a machine without the key waits for a controller, and takes what it has stored", async () => {
  const store = memoryStore();
  const clock = createFakeClock(0);
  const waiting = Promise.withResolvers<void>();
  const noted = { ...log, warn: () => waiting.resolve() };
  const identity = identityFromController({ store, appId: 5, clock, log: noted });
  await waiting.promise;
  await store.appIdentities.put(ME);
  clock.advance(1_000);
  expect(await identity).toEqual(ME);
  await store.close();
});

test("a machine with the number of another App than the database's does not wait for ever", async () => {
  const store = memoryStore();
  await store.appIdentities.put(ME);
  const other = identityFromController({ store, appId: 6, clock: createFakeClock(0), log });
  await expect(other).rejects.toBeInstanceOf(StartupRefused);
  await expect(other).rejects.toThrow(
    "APP_ID is 6 here, but the database is that of the App 5: set APP_ID to that number.",
  );
  await store.close();
});

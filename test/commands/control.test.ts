import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { control } from "../../src/commands/control-client.ts";
import { controlSocket, startControl } from "../../src/commands/control-server.ts";
import { deliveries } from "../../src/commands/deliveries.ts";
import { type OpenStore, openStore } from "../../src/store/open.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const DEAD = "11111111-2222-3333-4444-555555555555";
let dataDir: string;
let store: OpenStore;
let poked: number;
let end: () => Promise<void>;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "control-"));
  // A socket that an earlier process left behind is in nobody's way.
  writeFileSync(controlSocket(dataDir), "");
  store = await openStore({ path: join(dataDir, "flotilla.db") });
  poked = 0;
  end = await startControl({ dataDir, store, poke: () => (poked += 1), log });
  const row = {
    event: "issues",
    action: "opened",
    installationId: 1,
    repositoryId: 7,
    lane: "7#1",
    payload: "{}",
  };
  await store.deliveries.insert([{ ...row, guid: DEAD, receivedAt: 1000 }]);
  await store.deliveries.claim({ now: 2000, limit: 1 });
  await store.deliveries.settle(DEAD, "dead", "boom", 3000);
});

afterEach(async () => {
  await end();
  await store.close();
  rmSync(dataDir, { recursive: true });
});

async function say(args: readonly string[], options: Record<string, string | boolean> = {}) {
  const lines: string[] = [];
  const env = { FLOTILLA_DATA_DIR: dataDir };
  const code = await deliveries.run({ env, cwd: "/", print: (line) => lines.push(line), options, args });
  return { code, text: lines.join("\n") };
}

test("only the owner can open the socket", () => {
  expect(statSync(controlSocket(dataDir)).mode & 0o777).toBe(0o600);
});

test("a dead delivery is listed with its error, and pending again after a replay", async () => {
  expect(await say(["list"], { state: "dead" })).toMatchObject({
    code: 0,
    text: expect.stringMatching(/dead .*boom/),
  });
  expect(await say(["replay", DEAD])).toEqual({ code: 0, text: `${DEAD} is handled again.` });
  expect(poked).toBe(1);
  expect(await store.deliveries.get(DEAD)).toMatchObject({ state: "pending", attempts: 0 });
  expect(await say([], { state: "dead" })).toEqual({ code: 0, text: "No deliveries." });
});

test("what is not there cannot be replayed, and it is said", async () => {
  expect(await say(["replay", "99999999-0000-0000-0000-000000000000"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("no settled delivery has that id"),
  });
  expect(await say(["replay", "0"], { json: true })).toMatchObject({
    code: 1,
    text: expect.stringContaining("not_found"),
  });
});

test("an unknown state, verb or act is refused with what there is", async () => {
  expect(await say(["list"], { state: "lost" })).toMatchObject({
    code: 1,
    text: expect.stringContaining("pending"),
  });
  expect(await say(["bury"])).toMatchObject({ code: 1, text: expect.stringContaining("replay <guid>") });
  expect(await control(dataDir, "/agents/1/kill")).toMatchObject({
    status: 404,
    body: { error: "not_found" },
  });
});

test("without a serving process it says so and what to do", async () => {
  await end();
  await expect(say(["replay", DEAD])).rejects.toMatchObject({
    code: "not_serving",
    advice: expect.stringContaining("npm start"),
  });
  end = async () => undefined;
});

test("without a database reading says what to do", async () => {
  const context = {
    env: { FLOTILLA_DATA_DIR: join(dataDir, "empty") },
    cwd: "/",
    print: () => undefined,
    options: {},
    args: [],
  };
  await expect(deliveries.run(context)).rejects.toMatchObject({ code: "no_database" });
});

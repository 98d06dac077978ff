import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import type { Command } from "../../src/cli/command.ts";
import { deliveries } from "../../src/cli/commands/deliveries.ts";
import { drain } from "../../src/cli/commands/drain.ts";
import { pause, resume } from "../../src/cli/commands/pause.ts";
import { control } from "../../src/cli/control-client.ts";
import type { Operations } from "../../src/engine/commands/operations.ts";
import { replayDelivery } from "../../src/engine/commands/replay-delivery.ts";
import type { DrainState, DrainWish } from "../../src/engine/recovery/drain.ts";
import { controlSocket, startControl } from "../../src/server/control/control-server.ts";
import { sendTo } from "../adapters/sandbox/send-to.ts";
import { fileStore } from "../factories/file-store.ts";
import { CLAIM, OURS } from "../factories/leases.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { UNASKED } from "./unasked-operations.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const DEAD = "11111111-2222-3333-4444-555555555555";
let dataDir: string;
let store: OpenStore;
let pauses: unknown[];
/** What the engine is asked; its own tests show what it does. */
const operations: Operations = {
  ...UNASKED,
  replayDelivery: (wish) => replayDelivery({ store, clock: createFakeClock(9000) }, wish),
  pauseScope: async (wish) => {
    pauses.push(wish);
    return { news: pauses.length === 1, paused: ["feat-dev-issue-1"], stillStopping: 0 };
  },
  resumeScope: (scope) => lifting(scope),
  drain: async (wish) => {
    wishes.push(wish);
    return nextDrain();
  },
  drainState: async () => nextDrain(),
};
const wishes: DrainWish[] = [];
const nextDrain = () => drains.shift() ?? Promise.reject(new Error("nobody asks this again"));
let lifting: Operations["resumeScope"];
/** What the engine says of a drain, one after the other. */
let drains: DrainState[];
let poked: number;
/** Webhooks that GitHub has and we do not. */
let missing: number;
let end: () => Promise<void>;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "control-"));
  // A socket that an earlier process left behind is in nobody's way.
  writeFileSync(controlSocket(dataDir), "");
  store = await fileStore(join(dataDir, "flotilla.db"));
  poked = 0;
  pauses = [];
  lifting = async () => pauses.pop() !== undefined;
  missing = 0;
  const sweep = async () => ({ asked: Math.min(missing, 200), later: Math.max(0, missing - 200) });
  end = await startControl({
    dataDir,
    store,
    operations,
    poke: () => (poked += 1),
    onboard: () => Promise.reject(new Error("nobody asks this here")),
    sweep,
    log,
  });
  const row = {
    event: "issues",
    action: "opened",
    installationId: 1,
    repositoryId: 7,
    lane: "7#1",
    payload: "{}",
  };
  await store.deliveries.insert([{ ...row, guid: DEAD, receivedAt: 1000 }]);
  await store.deliveries.claim({ ...CLAIM, now: 2000, limit: 1 });
  await store.deliveries.settle(DEAD, OURS.token, "dead", "boom", 3000);
});

afterEach(async () => {
  await end();
  await store.close();
  rmSync(dataDir, { recursive: true });
});

async function say(
  args: readonly string[],
  options: Record<string, string | boolean> = {},
  command: Command = deliveries,
) {
  const lines: string[] = [];
  const env = { FLOTILLA_DATA_DIR: dataDir };
  const print = (line: string): void => void lines.push(line);
  const code = await command.run({ env, cwd: "/", print, complain: print, options, args });
  return { code, text: lines.join("\n") };
}

test("only the owner can open the socket", () => {
  expect(statSync(controlSocket(dataDir)).mode & 0o777).toBe(0o600);
});

test("a dead delivery is listed with its error, and pending again after a replay, with who asked for it", async () => {
  expect(await say(["list"], { state: "dead" })).toMatchObject({
    code: 0,
    text: expect.stringMatching(/dead .*boom/),
  });
  expect(await say(["replay", DEAD])).toEqual({ code: 0, text: `${DEAD} is handled again.` });
  expect(poked).toBe(1);
  expect(await store.deliveries.get(DEAD)).toMatchObject({ state: "pending", attempts: 0 });
  expect(await say([], { state: "dead" })).toEqual({ code: 0, text: "No deliveries." });
  const [decision] = await store.decisions.ofIssue(7, 1, 5);
  expect(decision).toMatchObject({
    at: 9000,
    rule: "replayed",
    reason: `operator:${userInfo().username} has the webhook issues.opened handled again, which was dead: boom`,
    delivery: DEAD,
  });
});

test("what never arrived is asked for at once, and it is said how much that is", async () => {
  expect(await say(["sweep"])).toEqual({ code: 0, text: "No webhook is missing." });
  missing = 203;
  expect(await say(["sweep"])).toEqual({
    code: 0,
    text: "GitHub was asked for 200 webhooks that never arrived. 3 more are asked for within a minute.",
  });
  expect(await say(["sweep"], { json: true })).toEqual({ code: 0, text: '{"asked":200,"later":3}' });
  expect(await say(["sweeep"])).toMatchObject({
    code: 1,
    text: expect.stringContaining('Did you mean "sweep"?'),
  });
});

test("a drain is waited for, and it is said where its agents continue, or what is still at work", async () => {
  const draining = { node: "one", state: "draining", atWork: 0, saving: 0, others: ["two"] } as const;
  const by = `operator:${userInfo().username}`;
  drains = [{ ...draining, atWork: 1 }, draining];
  expect(await say([], { "after-turn": true }, drain)).toEqual({
    code: 0,
    text: "one is drained: stop it now. Its agents continue on two. `flotilla drain --undo` lets it start agents again.",
  });
  drains = [{ ...draining, others: [] }];
  expect(await say(["one"], {}, drain)).toMatchObject({
    code: 0,
    text: expect.stringContaining("No other machine runs agents: its agents rest until it is started again."),
  });
  drains = [{ ...draining, state: "lost" }];
  expect(await say(["one"], {}, drain)).toEqual({
    code: 1,
    text: "one is lost: the other machines take over its agents.",
  });
  drains = [{ ...draining, state: "running" }];
  expect(await say(["one"], {}, drain)).toMatchObject({ code: 1 });
  expect(wishes.splice(2)).toHaveLength(2);
  drains = [{ ...draining, state: "running" }];
  expect(await say([], { undo: true }, drain)).toEqual({ code: 0, text: "one starts agents again." });
  expect(wishes.splice(0)).toEqual([
    { withinMs: 900_000, by },
    { node: "one", withinMs: 0, by },
    { withinMs: null, by },
  ]);
  for (const options of [
    { undo: true, "after-turn": true },
    { within: "1h" },
    { "after-turn": true, within: "x" },
  ])
    expect(await say([], options, drain)).toMatchObject({ code: 1 });
  expect(wishes).toEqual([]);
});

test("what is not there cannot be replayed, and it is said", async () => {
  expect(await say(["replay", "99999999-0000-0000-0000-000000000000"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("there is no settled delivery"),
  });
  expect((await say(["replay", "nope"])).text).toContain("there is no settled delivery nope ");
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
  expect(await say(["bury"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("list | replay | sweep"),
  });
  expect(await control(dataDir, "/agents/1/kill")).toMatchObject({
    status: 404,
    body: { error: { code: "not_found", hint: expect.any(String) } },
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
    complain: () => undefined,
    options: {},
    args: [],
  };
  await expect(deliveries.run(context)).rejects.toMatchObject({ code: "no_database" });
});

test("the emergency stop is asked for by scope, and says who was put to sleep", async () => {
  expect(await say([], { all: true, reason: "too dear" }, pause)).toEqual({
    code: 0,
    text: "Everything is paused. Put to sleep: feat-dev-issue-1.",
  });
  expect(pauses).toEqual([{ scope: "all", by: expect.stringMatching(/^operator:./), reason: "too dear" }]);
  expect(await say([], { all: true }, pause)).toMatchObject({
    text: expect.stringContaining("was paused already"),
  });
});

test("a repository is paused by its name, and one that nobody has seen is not found", async () => {
  const seen = {
    id: 7,
    owner: "acme",
    name: "shop",
    installationId: 1,
    private: true,
    defaultBranch: "main",
  };
  await store.repositories.put(seen);
  expect(await say([], { repo: "acme/shop", json: true }, pause)).toEqual({
    code: 0,
    text: JSON.stringify({ scope: "acme/shop", news: true, agents: ["feat-dev-issue-1"], still_stopping: 0 }),
  });
  expect(pauses).toEqual([{ scope: "repository:7", by: expect.any(String), reason: null }]);
  expect(await say([], { repo: "acme/shop" }, resume)).toEqual({ code: 0, text: "acme/shop continues." });
  expect(await say([], { repo: "acme/shop" }, resume)).toMatchObject({
    code: 1,
    text: expect.stringContaining("no pause of acme/shop by a person (not_found)"),
  });
  expect(await say([], { repo: "acme/none" }, pause)).toMatchObject({ code: 1 });
});

test("a resume names what else holds the agents, and what ends that", async () => {
  await store.scopePauses.add({
    scope: "all",
    holder: "file",
    by: "operator:file",
    reason: "the file PAUSE",
    since: 1000,
  });
  const held =
    "all agents are held by the file PAUSE in the data directory; remove the file PAUSE from the data directory to let them continue";
  expect(await say([], { all: true }, resume)).toMatchObject({
    code: 1,
    text: expect.stringContaining(`there is no pause of all by a person; ${held} (not_found)`),
  });
  await say([], { all: true }, pause);
  expect(await say([], { all: true }, resume)).toEqual({
    code: 0,
    text: `Your pause of everything is ended, but:\n- ${held}`,
  });
});

test("a resume names no pause that does not concern its scope, and not the one that it has just ended", async () => {
  const seen = { owner: "acme", installationId: 1, private: true, defaultBranch: "main" };
  for (const [id, name] of ["shop", "other"].entries()) await store.repositories.put({ ...seen, id, name });
  const { scopePauses } = store;
  const given = { by: "flotilla", since: 1000 };
  await scopePauses.add({ ...given, scope: "all", holder: "file", reason: "the file ABORT" });
  await scopePauses.add({ ...given, scope: "repository:0", holder: "incident", reason: "storm" });
  await scopePauses.add({ ...given, scope: "repository:0", holder: "person", reason: "too dear" });
  await scopePauses.add({ ...given, scope: "repository:1", holder: "archived", reason: null });
  lifting = ({ scope }) => scopePauses.lift(scope, "person");
  const file =
    "- all agents are held by the file ABORT in the data directory; remove the file ABORT from the data directory to let them continue";
  expect(await say([], { repo: "acme/shop" }, resume)).toEqual({
    code: 0,
    text: `Your pause of acme/shop is ended, but:\n${file}\n- this repository is paused by an incident: storm; the pause ends when the incident is over`,
  });
  await scopePauses.add({ ...given, scope: "all", holder: "person", reason: null });
  expect(await say([], { all: true }, resume)).toEqual({
    code: 0,
    text: `Your pause of everything is ended, but:\n${file}`,
  });
});

test.each([
  [{}, []],
  [{ all: true, repo: "acme/shop" }, []],
  [{ all: true }, ["feat-dev-issue-1"]],
])("a pause of %j %j is not understood", async (options, args) => {
  for (const command of [pause, resume])
    expect(await say(args, options, command)).toEqual({
      code: 1,
      text: "Give either --all or --repo owner/name.",
    });
  expect(pauses).toEqual([]);
});

test("a request that says nothing useful is an invalid argument", async () => {
  expect(await control(dataDir, "/pause", { scope: 7 })).toMatchObject({
    status: 409,
    body: { error: { code: "invalid_argument", argument: "scope" } },
  });
});

test("without a serving process --json says so as an error", async () => {
  await end();
  const { code, text } = await say([], { all: true, json: true }, pause);
  expect(code).toBe(2);
  expect(JSON.parse(text)).toMatchObject({
    error: { code: "transport_unavailable", retryable: true, hint: expect.stringContaining("npm start") },
  });
  end = async () => undefined;
});

test("a command that breaks inside is told as an internal error", async () => {
  const body = { agent: "acme/shop:x", id: "1", text: "Hello" };
  expect(await control(dataDir, "/agents/send", body)).toMatchObject({
    status: 500,
    body: { error: { code: "internal", hint: expect.stringContaining("log") } },
  });
});

test.each([
  ["what is no JSON", "{"],
  ["what is too long", JSON.stringify({ text: "x".repeat(256 * 1024) })],
])("%s is an invalid argument, and no failure of ours", async (_, body) => {
  const head = `POST /pause HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const answer = await sendTo(controlSocket(dataDir), `${head}${body}`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"code":"invalid_argument"');
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { deliveries } from "../../../src/cli/commands/deliveries.ts";
import { typedSince } from "../../../src/cli/since-typed.ts";
import type { Operations } from "../../../src/engine/commands/operations.ts";
import { startControl } from "../../../src/server/control/control-server.ts";
import { fileStore } from "../../factories/file-store.ts";
import { CLAIM, OURS } from "../../factories/leases.ts";
import { AT, HOUR, MINUTE } from "../../factories/moment.ts";
import { UNASKED } from "../unasked-operations.ts";

let dataDir: string;
let store: OpenStore;
let asked: string[];
let end: () => Promise<void>;

const replayDelivery: Operations["replayDelivery"] = async ({ delivery }) => {
  asked.push(delivery);
  return { replayed: delivery };
};

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "since-"));
  store = await fileStore(join(dataDir, "flotilla.db"));
  end = await startControl({
    dataDir,
    store,
    operations: { ...UNASKED, replayDelivery },
    onboard: () => Promise.reject(new Error("nobody asks for a proposal")),
    poke: () => {},
    sweep: () => Promise.reject(new Error("nobody asks for a sweep")),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  vi.useFakeTimers({ now: AT, toFake: ["Date"] });
  const settled = async (guid: string, event: string, agoMs: number, state: "dead" | "done") => {
    const [name = "", action = null] = event.split(".");
    const row = { installationId: 1, repositoryId: 7, lane: guid, payload: "{}", receivedAt: AT - agoMs };
    await store.deliveries.insert([{ ...row, guid, event: name, action }]);
    await store.deliveries.claim({ ...CLAIM, now: AT, limit: 1 });
    await store.deliveries.settle(guid, OURS.token, state, null, AT);
  };
  await settled("aa01", "issues.opened", 3 * HOUR, "dead");
  await settled("aa02", "issues.labeled", 2 * HOUR, "dead");
  await settled("aa03", "issues.labeled", HOUR, "done");
  await settled("aa04", "push", MINUTE, "dead");
});
afterAll(async () => {
  vi.useRealTimers();
  await end();
  await store.close();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => {
  asked = [];
});

async function say(options: Readonly<Record<string, string | boolean>>, ...guids: readonly string[]) {
  const lines: string[] = [];
  const env = { FLOTILLA_DATA_DIR: dataDir };
  const print = (line: string) => void lines.push(line);
  const code = await deliveries.run({
    env,
    cwd: "/",
    print,
    complain: print,
    options,
    args: ["replay", ...guids],
  });
  return { code, text: lines.join("\n"), asked };
}

describe("deliveries replay --since", () => {
  it("hands in what is dead since then, the oldest first", async () => {
    expect(await say({ since: "2h" })).toEqual({
      code: 0,
      text: "2 of 2 deliveries are handled again.",
      asked: ["aa02", "aa04"],
    });
  });

  it("takes a moment too, and says all of it in JSON", async () => {
    const since = new Date(AT - 3 * HOUR).toISOString();
    expect(await say({ since, json: true })).toMatchObject({
      code: 0,
      text: '{"replayed":["aa01","aa02","aa04"],"refused":[]}',
    });
  });

  it("takes only those in the state, of the event and of the action that are named", async () => {
    expect((await say({ since: "1d", state: "done" })).asked).toEqual(["aa03"]);
    expect((await say({ since: "1d", event: "issues" })).asked).toEqual(["aa03", "aa01", "aa02"]);
    asked = [];
    expect((await say({ since: "1d", event: "issues.opened" })).asked).toEqual(["aa01"]);
  });

  it("shows with --dry-run what it would do, and asks for nothing", async () => {
    expect(await say({ since: "2h", "dry-run": true })).toEqual({
      code: 0,
      text: "aa02\naa04\n2 deliveries would be handled again.",
      asked: [],
    });
    expect((await say({ state: "dead", "dry-run": true, json: true })).text).toBe(
      '{"would_replay":["aa01","aa02","aa04"]}',
    );
  });

  it.each([
    [{ since: "yesterday" }],
    [{ since: "2h", state: "pending" }],
    [{ state: "done" }],
    [{ event: "issues" }],
    [{ "dry-run": true }],
    [{}],
  ])("%j is refused with how it is said", async (options) => {
    expect(await say(options)).toMatchObject({
      code: 1,
      text: expect.stringContaining("--since 2h"),
      asked: [],
    });
  });

  it("does not take names and a time together", async () => {
    expect(await say({ since: "2h" }, "aa01")).toMatchObject({ code: 1, asked: [] });
  });
});

it("reads a time that is so long ago, a moment with its zone, and a day in UTC", () => {
  expect(typedSince("90s", AT)).toBe(AT - 90_000);
  expect(typedSince("2026-11-22T10:00Z", AT)).toBe(Date.UTC(2026, 10, 22, 10));
  expect(typedSince("2026-11-22T10:00:30+02:00", AT)).toBe(Date.UTC(2026, 10, 22, 8, 0, 30));
  expect(typedSince("2026-11-22", AT)).toBe(Date.UTC(2026, 10, 22));
  for (const text of ["", "2", "2w", "2026-11-22T10:00", "2026-13-01", "22.11.2026"])
    expect(typedSince(text, AT)).toBeNull();
});

import { Socket } from "node:net";
import { deflateRawSync } from "node:zlib";
import SqliteDatabase from "better-sqlite3";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { aHome, type Home, LABELLED_OTHERWISE } from "./home.ts";

let home: Home;
/** Of the record: how many deliveries and effects are looks depends on how many of them one answer settled. */
let handled: number;
let same: Readonly<Record<string, number>>;
/** Every call of this process to another, on this machine too. */
const connections = vi.spyOn(Socket.prototype, "connect");

beforeAll(async () => {
  home = await aHome();
  const [issue] = (await replayed()).issues;
  handled = issue?.deliveries ?? 0;
  same = issue?.same ?? {};
}, 180_000);
afterAll(() => home.remove());

const difference = z.looseObject({
  what: z.string(),
  recorded: z.string().nullable(),
  again: z.string().nullable(),
});
const answer = z.object({
  differs: z.int(),
  issues: z.array(
    z.looseObject({
      issue: z.int(),
      beyond: z.array(difference),
      deliveries: z.int(),
      same: z.record(z.string(), z.int()),
      differing: z.array(
        z.looseObject({
          guid: z.string(),
          differences: z.array(difference),
          because: z.array(z.string()).nullable(),
        }),
      ),
      untold: z.array(z.looseObject({ guid: z.string(), why: z.string() })),
    }),
  ),
});

async function replayed(options: Readonly<Record<string, string | boolean>> = {}) {
  const { code, text } = await home.say(["acme/shop#1"], { ...options, json: true });
  return { code, ...answer.parse(JSON.parse(text)) };
}

test("the same configuration comes to the same, without a write and without a connection", async () => {
  const before = home.digest();
  connections.mockClear();
  expect(handled).toBeGreaterThan(12);
  expect(same).toMatchObject({ transitions: 7, wakes: 1, ignored: 0 });
  const { decisions = 0, effects = 0 } = same;
  expect(Math.min(decisions, effects)).toBeGreaterThan(9);
  expect(await replayed()).toEqual({
    code: 0,
    differs: 0,
    issues: [
      {
        issue: 1,
        deliveries: handled,
        same,
        differs: 0,
        beyond: [],
        differing: [],
        untold: [],
      },
    ],
  });
  expect(connections).not.toHaveBeenCalled();
  expect(home.digest()).toBe(before);
  const { text } = await home.say(["acme/shop#1"]);
  expect(text).toBe(
    `acme/shop#1: ${handled} deliveries decided again, the same: 7 transitions, ${decisions} decisions, ${effects} effects, 1 wake.`,
  );
});

test("another permission to command differs, and the key is named that makes it so", async () => {
  const config = home.other("policy: { who_may_command: admin }", "commits: { sign_off: true }");
  const { code, differs, issues } = await replayed({ config });
  expect({ code, differs }).toEqual({ code: 0, differs: 5 });
  const started = issues[0]?.differing.find(({ guid }) => guid === "asked-and-answered-7");
  expect(started?.because).toEqual(["policy.who_may_command"]);
  expect(started?.differences).toContainEqual({
    what: "transition",
    recorded: "agent 1 (new) → CREATED by CREATE of alice",
    again: null,
  });
  expect(started?.differences).toContainEqual({
    what: "decision",
    recorded: null,
    again: expect.stringContaining("not_permitted: @alice may label but has no write permission"),
  });
  const { text } = await home.say(["acme/shop#1"], { config });
  expect(text).toContain("  only then  transition agent 1 (new) → CREATED by CREATE of alice\n");
  expect(text).toContain("  then       decision talk: the comment neither commands nor mentions us\n");
  expect(text).toContain("  by         policy.who_may_command\n");
});

test("a label that starts no role any more differs; where GitHub was not asked the record does not tell", async () => {
  const { differs, issues } = await replayed({ config: home.other(LABELLED_OTHERWISE) });
  expect(differs).toBe(2);
  expect(issues[0]?.differing).toContainEqual(
    expect.objectContaining({ guid: "asked-and-answered-7", because: ["roles.feat-dev"] }),
  );
  expect(issues[0]?.untold).toContainEqual(
    expect.objectContaining({
      guid: "asked-and-answered-4",
      why: "GitHub was not asked then: pullRequests(acme/shop, {})",
    }),
  );
});

test("limits that the agent went past, and what a lower level would have kept back, are named", async () => {
  const limits = home.other("circuit_breakers: { defaults: { max_turns: 2 } }", "level: comment");
  const { differs, issues } = await replayed({ config: limits });
  expect(issues[0]?.beyond).toContainEqual({
    what: "limit",
    recorded: expect.stringMatching(/^feat-dev-issue-1 used [3-9] turns$/),
    again: "feat-dev-issue-1 is stopped at 2 turns",
  });
  expect(issues[0]?.beyond).toContainEqual({
    what: "level",
    recorded: "1 × open_pr was done at pr",
    again: "it is withheld at comment",
  });
  expect(differs).toBe(issues[0]?.beyond.length);
  const { text } = await home.say(["acme/shop#1"], { config: limits });
  expect(text).toContain("  now        level it is withheld at comment\n");
});

test("a repository that is left out of the list would be ignored throughout", async () => {
  const { issues } = await replayed({ config: home.other('repositories: ["acme/other"]') });
  expect(issues[0]?.differing).toHaveLength(handled);
  expect(issues[0]?.differing[0]?.differences[0]).toEqual({
    what: "delivery",
    recorded: "handled",
    again: "ignored: acme/shop is not on the list of repositories in the configuration",
  });
  expect(issues[0]?.differing[0]?.because).toEqual(["repositories"]);
});

test("--last replays the issues decided about last, one line each", async () => {
  const { code, text } = await home.say(["acme/shop"], { last: "2" });
  expect(code).toBe(0);
  const lines = text.split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain(`acme/shop#1: ${handled} deliveries decided again, the same: `);
  expect(lines[1]).toMatch(/^acme\/shop#[23]: 1 delivery decided again, the same: /);
});

test("what is not there is said, with what to do next", async () => {
  expect(await home.say(["acme/shop#9"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("on record"),
  });
  expect(await home.say(["acme/none#1"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("No webhook from acme/none has arrived yet"),
  });
  for (const args of [[], ["acme/shop"], ["shop#1"], ["acme/shop#1", "acme/shop#2"]])
    expect(await home.say(args)).toMatchObject({
      code: 1,
      text: expect.stringContaining("Run `flotilla replay"),
    });
  expect(await home.say(["acme/shop#1"], { last: "3" })).toMatchObject({ code: 1 });
  expect(await home.say(["acme/shop"], { last: "0" })).toMatchObject({ code: 1 });
  expect(await home.say(["acme/shop"], { last: "1" })).toMatchObject({ code: 0 });
  const config = home.other("review: { reviewrs: 2 }");
  expect(await home.say(["acme/shop#1"], { config })).toMatchObject({
    code: 1,
    text: expect.stringContaining("unknown key"),
  });
});

test("payloads that are gone, and deliveries of which nothing was kept, are named", async () => {
  const database = new SqliteDatabase(home.database);
  database.exec("UPDATE delivery SET payload = '' WHERE guid = 'asked-and-answered-7'");
  database.exec("UPDATE delivery SET state = 'dead' WHERE guid = 'asked-and-answered-10'");
  database.exec("DELETE FROM replay_input WHERE guid = 'asked-and-answered-12'");
  const damaged = deflateRawSync('{"agent":{"columns":["id"],"rows":[[1]]}}');
  database.prepare("UPDATE replay_input SET known = ? WHERE guid = 'asked-and-answered-18'").run(damaged);
  const { code, issues } = await replayed();
  expect(code).toBe(0);
  expect(issues[0]?.deliveries).toBe(handled - 4);
  expect(issues[0]?.untold.map(({ guid, why }) => [guid, why.slice(0, 40)])).toEqual([
    ["asked-and-answered-7", "its payload is gone: it is kept as long "],
    ["asked-and-answered-10", "it was never handled: `flotilla deliveri"],
    ["asked-and-answered-12", "what it was decided on was not kept"],
    ["asked-and-answered-18", "it cannot be decided again: what was kep"],
  ]);
  database.exec("UPDATE delivery SET payload = ''");
  database.close();
  const { code: none, text } = await home.say(["acme/shop#1"]);
  expect(none).toBe(1);
  expect(text).toContain("not told by the record: its payload is gone");
});

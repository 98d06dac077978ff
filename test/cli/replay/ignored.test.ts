import SqliteDatabase from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { aHome, type Home } from "./home.ts";

let home: Home;
const guidOf = (number: number): string => `asked-and-answered-${number}`;

const answer = z.object({
  issues: z.tuple([
    z.looseObject({
      deliveries: z.int(),
      same: z.looseObject({ ignored: z.int() }),
      differing: z.array(z.looseObject({ guid: z.string(), differences: z.array(z.unknown()) })),
      untold: z.array(z.looseObject({ guid: z.string(), why: z.string() })),
    }),
  ]),
});

async function replayed() {
  const { text } = await home.say(["acme/shop#1"], { json: true });
  return answer.parse(JSON.parse(text)).issues[0];
}

/** Runs the statements and tells what the replay says of it. */
async function after(...statements: readonly string[]) {
  const database = new SqliteDatabase(home.database);
  for (const statement of statements) database.exec(statement);
  database.close();
  return replayed();
}

const forget = (number: number) => `DELETE FROM replay_input WHERE guid = '${guidOf(number)}'`;
const set = (number: number, values: string) =>
  `UPDATE delivery SET ${values} WHERE guid = '${guidOf(number)}'`;
const STAR = "event = 'star', action = 'created'";

beforeAll(async () => {
  home = await aHome();
}, 180_000);
afterAll(() => home.remove());

test("a delivery that was ignored and is ignored again for the same reason is the same", async () => {
  const before = await replayed();
  // The push that nobody understands, as if it had been about this issue.
  const now = await after(
    `UPDATE delivery SET lane = (SELECT lane FROM delivery WHERE guid = '${guidOf(7)}') WHERE guid = '${guidOf(17)}'`,
  );
  expect(now).toMatchObject({
    deliveries: before.deliveries + 1,
    same: { ...before.same, ignored: before.same.ignored + 1 },
    differing: [],
    untold: [],
  });
});

test("one that was ignored and is handled today, or ignored for another reason, differs", async () => {
  const { differing, same } = await after(
    set(5, "state = 'ignored', note = 'nobody heard it'"),
    set(17, "note = 'nobody heard it'"),
  );
  expect(differing.map(({ guid, differences }) => [guid, differences[0]])).toEqual([
    [guidOf(5), { what: "delivery", recorded: "ignored: nobody heard it", again: "handled" }],
    [
      guidOf(17),
      {
        what: "delivery",
        recorded: "ignored: nobody heard it",
        again: expect.stringMatching(/^ignored: not understood: /),
      },
    ],
  ]);
  expect(same.ignored).toBe(0);
});

test("one of an event that nobody reads counts as ignored where it was; one that was read has lost its record", async () => {
  const { untold, same } = await after(
    set(8, `state = 'ignored', note = 'not used', ${STAR}`),
    forget(8),
    set(9, "state = 'ignored', note = 'not used'"),
    forget(9),
    set(10, STAR),
    forget(10),
  );
  expect(same.ignored).toBe(1);
  expect(untold.map(({ guid, why }) => [guid, why])).toEqual([
    [guidOf(9), "what it was decided on was not kept"],
    [guidOf(10), "what it was decided on was not kept"],
  ]);
});

test("one of an event without actions that was read has lost its record, too", async () => {
  const { untold, same } = await after(forget(17));
  expect(same.ignored).toBe(1);
  expect(untold.map(({ guid }) => guid)).toContain(guidOf(17));
});

test("one that waits, one of too much, and one without an outcome are named", async () => {
  const { untold } = await after(
    set(2, `state = 'pending', lane = (SELECT lane FROM delivery WHERE guid = '${guidOf(7)}')`),
    `UPDATE replay_input SET known = NULL WHERE guid = '${guidOf(11)}'`,
    `UPDATE replay_input SET ended = NULL WHERE guid = '${guidOf(12)}'`,
  );
  expect(untold.map(({ guid, why }) => [guid, why])).toEqual([
    [guidOf(2), "it is not handled yet"],
    [guidOf(9), "what it was decided on was not kept"],
    [guidOf(10), "what it was decided on was not kept"],
    [guidOf(11), "what was known then was too much to be kept"],
    [guidOf(12), "what came of it was not kept"],
    [guidOf(17), "what it was decided on was not kept"],
  ]);
});

import { expect, it } from "vitest";
import { DatabaseUnreachable } from "../../../src/domain/kernel/errors.ts";
import { wrappedTables } from "../../../src/domain/kernel/wrapped-tables.ts";
import type { Store, Tables } from "../../../src/domain/ports/store.ts";
import { agentOf } from "../look.ts";
import { ON_POSTGRES } from "../on-postgres.ts";
import { labeled, said } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, edit, escalate, on, work } from "../scripts.ts";

/** How many statements in a row find no database: those of all that is under way, and what each tries at once. */
const LENGTH = 12;
const MINUTE = 60_000;
/** The tried statements are this far apart. */
const EVERY = 20;
const SAID_NOTHING = "it stopped twice without saying whether it is done";

/** A database that can go away for a few statements. */
function leaving() {
  let statements = 0;
  let from = Number.POSITIVE_INFINITY;
  let lost = 0;
  const ask = (): void => {
    statements += 1;
    if (statements < from || statements >= from + LENGTH) return;
    lost += 1;
    throw new DatabaseUnreachable("postgres://db/flotilla cannot be reached (ECONNREFUSED)", {
      retryAt: 0,
      advice: "Start the PostgreSQL server",
      cause: undefined,
    });
  };
  const tablesOf = <T extends Tables>(tables: T): T =>
    wrappedTables(
      tables,
      (_, table) =>
        new Proxy(table, {
          get(target, name) {
            const method: unknown = Reflect.get(target, name);
            if (typeof method !== "function") return method;
            return async (...given: unknown[]): Promise<unknown> => {
              ask();
              return Reflect.apply(method, target, given);
            };
          },
        }),
    );
  return {
    lost: () => lost,
    /** It goes away at this statement from now on. */
    leaveAt: (statement: number) => {
      from = statements + statement;
    },
    of: (store: Store): Store => ({
      ...tablesOf(store),
      transaction: async (body) => {
        ask();
        return store.transaction((tables) => body(tablesOf(tables)));
      },
    }),
  };
}

const SCRIPT = [on(1, escalate, after("answers|interrupted", edit()), ...work.slice(1))];

/** Goes on for a while, whatever waits for the clock. */
async function goOn(rig: Rig): Promise<void> {
  for (let second = 0; second < 40; second += 1) {
    if (ON_POSTGRES) await rig.quiet();
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    rig.clock.advance(second < 30 ? 1_000 : MINUTE);
    await rig.engine.tick().catch(() => undefined);
  }
  await rig.quiet();
}

/** A person's act, which arrives again while the database is gone. */
async function arrives(rig: Rig, event: Parameters<Rig["engine"]["handle"]>[0]): Promise<void> {
  await expect
    .poll(
      () =>
        rig.engine.handle(event).then(
          () => true,
          () => false,
        ),
      { interval: 0, timeout: 10_000 },
    )
    .toBe(true);
}

/** One agent asks a person, gets the answer and works; the database goes away at a statement of one of its periods. */
async function live(period: "first" | "second", statement: number): Promise<Rig> {
  const database = leaving();
  const rig = await aRig({
    script: SCRIPT,
    wrapped: (given) => ({ ...given, store: database.of(given.store) }),
  });
  if (period === "first") database.leaveAt(statement);
  await arrives(rig, labeled(rig, 1));
  await goOn(rig);
  if (period === "second") database.leaveAt(statement);
  await arrives(rig, said(rig, 1, "/flotilla answer The second."));
  await goOn(rig);
  expect(database.lost()).toBe(LENGTH);
  return rig;
}

const at = (period: "first" | "second", statements: number) =>
  Array.from({ length: statements / EVERY }, (_, place) => [period, 1 + place * EVERY] as const);

// A rejection that nobody awaits would end the process; here it fails the run.
it.each([...at("first", 300), ...at("second", 500)])(
  "leaves nothing behind when the database is gone in the %s period, at statement %i",
  async (period, statement) => {
    const rig = await live(period, statement);
    const { state, reason } = await agentOf(rig);
    // What the model does about a tool that fails is its own affair: this one says nothing more.
    const ended = state === "COMPLETED" || reason?.includes(SAID_NOTHING) === true;
    expect(ended, `${state}: ${reason}`).toBe(true);
    expect(await rig.store.effects.find({ state: ["pending", "leased"] })).toEqual([]);
    expect(await rig.store.records.slotsInUse()).toBe(0);
    expect(rig.runtime.running.size).toBe(0);
  },
);

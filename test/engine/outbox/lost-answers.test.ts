import { expect, it } from "vitest";
import { DatabaseUnreachable } from "../../../src/domain/kernel/errors.ts";
import type { Tables } from "../../../src/domain/ports/store.ts";
import { commentsOn } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";

const gone = () =>
  new DatabaseUnreachable("postgres://db/flotilla cannot be reached (ECONNREFUSED)", {
    retryAt: 0,
    advice: "Start the PostgreSQL server",
    cause: undefined,
  });

const told = ({ logged }: Rig) =>
  logged.filter(({ message }) => message === "effect outcome not recorded yet").length;

it("runs an effect whose lease was written, but not answered, once", async () => {
  const rig = await aRig();
  const { effects } = rig.store;
  const lease = effects.lease.bind(effects);
  effects.lease = async (options) => {
    const rows = await lease(options);
    if (rows.length === 0) return rows;
    effects.lease = lease;
    throw gone();
  };
  await tell(rig, said(rig, 1, "/flotilla why")).catch(() => undefined);
  await rig.engine.tick();
  await rig.idle();
  expect(commentsOn(rig)).toHaveLength(1);
  expect(await effects.find({ state: "leased" })).toEqual([]);
  expect(await effects.find({ kind: "post_comment" })).toMatchObject([
    { state: "done", attempts: 0, uncertain: false },
  ]);
});

it("records the outcome of an effect once the database answers again, and does not try the effect again", async () => {
  const rig = await aRig();
  const put = rig.github.putComment.bind(rig.github);
  let tries = 0;
  const transaction = rig.store.transaction.bind(rig.store);
  const failing = async <T>(work: (tables: Tables) => Promise<T>): Promise<T> => {
    tries += 1;
    if (tries < 4) throw gone();
    return transaction(work);
  };
  rig.github.putComment = async (...given) => {
    const made = await put(...given);
    Object.assign(rig.store, { transaction: failing });
    return made;
  };
  const done = tell(rig, said(rig, 1, "/flotilla why"));
  for (let failures = 1; failures <= 3; failures += 1) {
    while (told(rig) < failures) await new Promise((resolve) => setImmediate(resolve));
    // Only now: on a slow database the lease would run out in the meantime.
    rig.clock.advance(1_000);
  }
  await done;
  await rig.idle();
  expect(tries).toBeGreaterThanOrEqual(4);
  expect(commentsOn(rig)).toHaveLength(1);
  expect(await rig.store.effects.find({ kind: "post_comment" })).toMatchObject([
    { state: "done", attempts: 0 },
  ]);
});

/** The next read of an agent finds no database. */
function loseNextRead({ store: { records } }: Rig): void {
  const get = records.get.bind(records);
  records.get = async () => {
    records.get = get;
    throw gone();
  };
}

const leased = ({ store }: Rig) => store.effects.find({ state: "leased" });

it("gives an effect back when the database is gone before it is begun", async () => {
  const rig = await aRig();
  const { effects } = rig.store;
  const lease = effects.lease.bind(effects);
  let lost = 0;
  effects.lease = async (options) => {
    const rows = await lease(options);
    if (lost === 0 && rows.some(({ kind }) => kind === "open_session")) {
      lost += 1;
      loseNextRead(rig);
    }
    return rows;
  };
  await tell(rig, labeled(rig, 1));
  expect(lost).toBe(1);
  expect(await leased(rig)).toEqual([]);
});

it("records a failure that the database could not be asked about at first", async () => {
  const rig = await aRig();
  rig.runtime.open = async () => {
    loseNextRead(rig);
    throw new Error("no process");
  };
  const done = tell(rig, labeled(rig, 1));
  while (told(rig) < 1) await new Promise((resolve) => setImmediate(resolve));
  rig.clock.advance(1_000);
  await done;
  await rig.idle();
  expect(await leased(rig)).toEqual([]);
});

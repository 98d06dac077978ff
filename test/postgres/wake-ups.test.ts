import { expect, onTestFinished, test } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { observedStore } from "../../src/adapters/store/observed-store.ts";
import { listenToOthers, tellsOthers } from "../../src/server/wake-ups.ts";
import { SILENT } from "../adapters/github/mocked-github.ts";
import { delivery, repository } from "../adapters/store/samples.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { asAdmin, databaseAt, describeWithPostgres, nameOf, newDatabase } from "./databases.ts";
import { startPostgres } from "./server.ts";

/** What a process hears, in order: it is told, or the connection is lost. */
function heardBy({ changes }: OpenStore) {
  const waiting: PromiseWithResolvers<string>[] = [];
  const heard: string[] = [];
  const note = (what: string) => {
    const next = waiting.shift();
    if (next === undefined) heard.push(what);
    else next.resolve(what);
  };
  changes.listen({
    told: () => note("told"),
    lost: (error) => note(`lost: ${String(error)}`),
    back: () => note("back"),
  });
  return {
    next: async (): Promise<string> => {
      const first = heard.shift();
      if (first !== undefined) return first;
      const one = Promise.withResolvers<string>();
      waiting.push(one);
      return one.promise;
    },
    unread: heard,
  };
}

async function opened(url: string): Promise<OpenStore> {
  const store = await databaseAt(url).open({});
  onTestFinished(() => store.close());
  return store;
}

const LISTENERS = `FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(LISTEN|NOTIFY)'`;

describeWithPostgres("processes on one PostgreSQL", () => {
  test("tell each other, and not themselves", async () => {
    const url = await newDatabase();
    const [one, two] = [await opened(url), await opened(url)];
    const [ones, twos] = [heardBy(one), heardBy(two)];
    // Both listen.
    expect([await ones.next(), await twos.next()]).toEqual(["told", "told"]);
    one.changes.tell();
    expect(await twos.next()).toBe("told");
    two.changes.tell();
    expect(await ones.next()).toBe("told");
    // What one told came before what two told.
    expect([ones.unread, twos.unread]).toEqual([[], []]);
  });

  test("what one stores is read by another one though no time passes", async () => {
    const url = await newDatabase();
    const clock = createFakeClock(0);
    const [one, two] = [await opened(url), await opened(url)];
    await one.repositories.put(repository);
    const read = Promise.withResolvers<void>();
    const listens = Promise.withResolvers<void>();
    const act = () => {
      listens.resolve();
      void two.deliveries.known(["g"]).then((known) => known.size === 1 && read.resolve());
    };
    // It rests after it began to listen, so it hears of the delivery at its own time.
    const soon = { now: () => 0, after: (_: number, fn: () => void) => (setImmediate(fn), () => {}) };
    listenToOthers(two.changes, { clock: soon, log: SILENT, act });
    await listens.promise;
    const heard = heardBy(one);
    await heard.next();
    const observed = observedStore(one, [() => tellsOthers(one.changes, clock)], SILENT);
    await observed.deliveries.insert([delivery({ guid: "g" })]);
    await expect(read.promise).resolves.toBeUndefined();
  });

  test("hear again once a lost connection is back, and what was told meanwhile is told", async () => {
    const url = await newDatabase();
    const [one, two] = [await opened(url), await opened(url)];
    const [ones, twos] = [heardBy(one), heardBy(two)];
    await Promise.all([ones.next(), twos.next()]);
    const ended = await asAdmin(nameOf(url), (admin) =>
      admin.query(`SELECT pg_terminate_backend(pid) ${LISTENERS}`),
    );
    expect(ended.rowCount).toBe(2);
    one.changes.tell();
    expect([await ones.next(), await twos.next()]).toEqual([
      expect.stringContaining("lost: DatabaseUnreachable"),
      expect.stringContaining("lost: DatabaseUnreachable"),
    ]);
    expect([await ones.next(), await twos.next()]).toEqual(["back", "back"]);
    expect([await ones.next(), await twos.next()]).toEqual(["told", "told"]);
    await one.repositories.put(repository);
    two.changes.tell();
    // By what was told meanwhile, or by this.
    expect(await ones.next()).toBe("told");
  });

  test("have one connection for it, which ends with the store", async () => {
    const url = await newDatabase();
    const store = await databaseAt(url).open({});
    const heard = heardBy(store);
    await heard.next();
    const count = () =>
      asAdmin(nameOf(url), async (admin) => (await admin.query(`SELECT 1 ${LISTENERS}`)).rowCount);
    for (let times = 0; times < 20; times += 1) store.changes.tell();
    expect(await count()).toBe(1);
    await store.close();
    await expect.poll(count).toBe(0);
    expect(heard.unread).toEqual([]);
  });

  test("say once that a server is away, and hear again when it is back", { timeout: 60_000 }, async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const store = await databaseAt(`${server.url}/postgres`).open({});
    const heard = heardBy(store);
    await heard.next();
    await server.crash();
    expect(await heard.next()).toContain("lost");
    store.changes.tell();
    await server.start();
    expect(await heard.next()).toBe("back");
    expect(await heard.next()).toBe("told");
    await store.close();
  });
});

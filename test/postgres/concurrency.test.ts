import type { Client } from "pg";
import { expect, test } from "vitest";
import type { Store } from "../../src/domain/ports/store.ts";
import { agent, delivery, effect, repository, task } from "../adapters/store/samples.ts";
import { asAdmin, databaseAt, describeWithPostgres, nameOf, newDatabase } from "./databases.ts";

/** A database that is served, with a repository. */
async function served(): Promise<{
  readonly url: string;
  readonly store: Store;
  readonly close: () => Promise<void>;
}> {
  const url = await newDatabase();
  const store = await databaseAt(url).open({});
  await store.repositories.put(repository);
  return { url, store, close: () => store.close() };
}

/** Another process that is in the middle of a transaction with these statements, until `work` is done. */
const meanwhile = (url: string, statements: readonly string[], work: (admin: Client) => Promise<void>) =>
  asAdmin(nameOf(url), async (admin) => {
    await admin.query("BEGIN");
    for (const statement of statements) await admin.query(statement);
    await work(admin);
    await admin.query("COMMIT");
  });

/** Resolves with whether this is done, once it is or waits for the other process. */
async function isDoneBeside(admin: Client, writing: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  const ended = () => {
    isDone = true;
  };
  void writing.then(ended, ended);
  const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await expect.poll(async () => isDone || (await admin.query(waiting)).rows.length > 0).toBe(true);
  return isDone;
}

const withoutHush = (text: string) => text.replaceAll("hush", "***");

describeWithPostgres("many at once on PostgreSQL", () => {
  test("what a transaction has read stays true until its commit", async () => {
    const { url, store, close } = await served();
    const second = await databaseAt(url).open({});
    // Each finds no other one and adds itself: only one may, whichever process it is of.
    const alone = (at: number) =>
      (at % 2 === 0 ? store : second).transaction(async ({ records }) => {
        if ((await records.find("agent", {})).length > 0) return;
        await records.insert("agent", agent());
      });
    await Promise.all(Array.from({ length: 12 }, (_, at) => alone(at)));
    expect(await store.records.find("agent", {})).toHaveLength(1);
    await second.close();
    await close();
  });

  test("whoever reads events behind the last one that it has seen misses none while many are added", async () => {
    const { url, store, close } = await served();
    const { id } = await store.records.insert("agent", agent());
    const reader = await databaseAt(url).openReadOnly();
    let added = 0;
    const writing = { isDone: false };
    const event = { at: 1, agentId: id, repositoryId: repository.id, issue: 1 } as const;
    const write = async () => {
      for (let n = 0; n < 60; n += 1) {
        await store.runEvents.add({ ...event, event: { type: "stream:token", data: { text: String(n) } } });
        added += 1;
      }
    };
    const seen = new Set<number>();
    let cursor = await reader.runEvents.latest();
    const follow = async () => {
      const rows = await reader.runEvents.after(cursor, { limit: 500, agentId: null });
      for (const row of rows) seen.add(row.id);
      cursor = rows.at(-1)?.id ?? cursor;
    };
    const reading = (async () => {
      while (!writing.isDone) await follow();
      await follow();
    })();
    await Promise.all(Array.from({ length: 8 }, write));
    writing.isDone = true;
    await reading;
    expect(seen.size).toBe(added);
    await reader.close();
    await close();
  });

  test("the last id of events leaves out none that is still being written", async () => {
    const { url, store, close } = await served();
    await store.records.insert("agent", agent());
    await asAdmin(nameOf(url), async (admin) => {
      await admin.query("BEGIN");
      await admin.query(
        `INSERT INTO run_event (at, repository_id, issue, type, data) VALUES (1, ${repository.id}, 1, 'stream:token', '{}')`,
      );
      let isKnown = false;
      const latest = store.runEvents.latest().then((last) => {
        isKnown = true;
        return last;
      });
      // Another question is answered meanwhile.
      await store.repositories.get(repository.id);
      expect(isKnown).toBe(false);
      await admin.query("COMMIT");
      expect(await latest).toBe(1);
    });
    await close();
  });

  test("claims leave out at once what another process is taking, and take the rest", async () => {
    const url = await newDatabase();
    // Whoever waits for a row fails.
    const store = await databaseAt(`${url}?options=-c%20lock_timeout%3D500`).open({});
    await store.repositories.put(repository);
    await store.effects.add(["a", "b"].map((key) => effect({ key, lane: key })));
    await store.deliveries.insert(["a", "b"].map((guid) => delivery({ guid, lane: guid })));
    const claim = { token: "t", node: "n", now: 0, limit: 9 };
    const leased = async () =>
      (await store.effects.lease({ ...claim, leaseMs: () => 9 })).map(({ key }) => key);
    const claimed = async () =>
      (await store.deliveries.claim({ ...claim, leaseMs: 9 })).map(({ guid }) => guid);
    const taken = [
      "SELECT 1 FROM effect WHERE key = 'a' FOR UPDATE",
      "SELECT 1 FROM delivery WHERE guid = 'a' FOR UPDATE",
    ];
    await meanwhile(url, taken, async () => {
      expect([await leased(), await claimed()]).toEqual([["b"], ["b"]]);
    });
    expect([await leased(), await claimed()]).toEqual([["a"], ["a"]]);
    await store.close();
  });

  test("a webhook is stored once those before it are, so that a lane's first one is handled first", async () => {
    const { url, store, close } = await served();
    const first = `INSERT INTO delivery (guid, event, lane, payload, received_at, state, attempts, not_before)
      VALUES ('first', 'issues', 'a', '{}', 1, 'pending', 0, 0)`;
    const claim = { token: "t", node: "n", now: 1, leaseMs: 9, limit: 9 };
    let storing = Promise.resolve();
    await meanwhile(url, [first], async (admin) => {
      storing = store.deliveries.insert([delivery({ guid: "second", lane: "a" })]);
      expect(await isDoneBeside(admin, storing)).toBe(false);
      expect(await store.deliveries.claim(claim)).toEqual([]);
    });
    await storing;
    expect(await store.deliveries.claim(claim)).toMatchObject([{ guid: "first" }]);
    await close();
  });

  test("an event is stored once those before it are, so that whoever has read it has missed none", async () => {
    const { url, store, close } = await served();
    const place = { at: 1, agentId: null, repositoryId: repository.id, issue: 1 };
    const first = `INSERT INTO run_event (at, repository_id, issue, type, data)
      VALUES (1, ${repository.id}, 1, 'stream:token', '{"text":"first"}')`;
    const seen = async () =>
      (await store.runEvents.after(0, { limit: 9, agentId: null })).map(({ event }) => event.data);
    let storing = Promise.resolve();
    await meanwhile(url, [first], async (admin) => {
      storing = store.runEvents.add({ ...place, event: { type: "stream:token", data: { text: "second" } } });
      expect(await isDoneBeside(admin, storing)).toBe(false);
      expect(await seen()).toEqual([]);
    });
    await storing;
    expect(await seen()).toEqual([{ text: "first" }, { text: "second" }]);
    await close();
  });

  test("webhooks are stored while a transaction is open", async () => {
    const { store, close } = await served();
    const opened = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const open = store.transaction(async ({ records }) => {
      await records.insert("agent", agent());
      opened.resolve();
      await stored.promise;
    });
    await opened.promise;
    await store.deliveries.insert([delivery({ guid: "g" })]);
    stored.resolve();
    await open;
    expect(await store.deliveries.known(["g"])).toEqual(new Set(["g"]));
    await close();
  });

  test("texts keep no secret and no NUL; webhooks stay as they came", async () => {
    const url = await newDatabase();
    const store = await databaseAt(url).open({ redact: withoutHush });
    await store.repositories.put(repository);
    await store.records.insert("agent", agent({ reason: "hush\0!" }));
    await store.records.insert("task", task({ title: "hush" }));
    await store.deliveries.insert([delivery({ guid: "g", payload: '{"a":"hush\0"}' })]);
    expect(await store.records.find("agent", {})).toMatchObject([{ reason: "***\uFFFD!" }]);
    expect(await store.deliveries.get("g")).toMatchObject({ payload: '{"a":"hush\uFFFD"}' });
    await store.close();
  });
});

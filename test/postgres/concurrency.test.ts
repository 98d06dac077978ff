import { expect, test } from "vitest";
import type { Store } from "../../src/domain/ports/store.ts";
import { agent, delivery, repository, task } from "../adapters/store/samples.ts";
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

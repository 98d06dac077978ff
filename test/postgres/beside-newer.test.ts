import { Client } from "pg";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { migrations } from "../../src/adapters/store/postgres/migrations/migrations.ts";
import { migrate } from "../../src/adapters/store/postgres/schema.ts";
import { effect, insertAgent } from "../adapters/store/samples.ts";
import { aNode } from "../factories/a-node.ts";
import {
  asAdmin,
  asFlotillaReads,
  databaseAt,
  describeWithPostgres,
  nameOf,
  newDatabase,
} from "./databases.ts";

const NUMBER = migrations.length + 1;

/** The next version, which needs its change. `minReader`: the lowest schema that a version must know from then on. */
const nextVersion = (minReader: number) => [
  ...migrations,
  { name: `${NUMBER}_next`, sql: "CREATE TABLE next (id BIGINT)", minReader },
];

describeWithPostgres("two versions on one database", () => {
  let url = "";
  let store: OpenStore;
  let run: <T>(work: (admin: Client) => Promise<T>) => Promise<T>;

  beforeEach(async () => {
    url = await newDatabase();
    store = await databaseAt(url).open({});
    onTestFinished(() => store.close());
    run = (work) => asAdmin(nameOf(url), work);
  });

  const begin = (name: string, reads: number) =>
    store.nodes.begin({ ...aNode(name, { version: "0.1.0", reads }), now: Date.now() });
  const eventsAfter = async (id: number) =>
    (await store.runEvents.after(id, { limit: 1, agentId: null })).map((row) => row.id);
  const upgrade = async (minReader: number): Promise<void> => {
    const client = new Client({ connectionString: url, types: { getTypeParser: asFlotillaReads } });
    await client.connect();
    try {
      await migrate(client, nextVersion(minReader));
    } finally {
      await client.end();
    }
  };

  test("the newer one adds what the older one leaves alone", async () => {
    await begin("old", migrations.length);
    await upgrade(1);
    expect((await store.nodes.list()).map(({ name }) => name)).toEqual(["old"]);
  });

  test("the newer one does not start before a change that would end an older one at work, and names it", async () => {
    await begin("new", NUMBER);
    const epoch = await begin("old", migrations.length);
    await expect(upgrade(NUMBER)).rejects.toThrow(
      `after which the version on old (0.1.0) cannot use it. Stop Flotilla there`,
    );
    expect(await run((admin) => admin.query("SELECT to_regclass('next') AS made"))).toMatchObject({
      rows: [{ made: null }],
    });
    await store.nodes.stopped({ name: "old", epoch });
    await upgrade(NUMBER);
  });

  test("one that says nothing of what it reads counts as the oldest; one that was not seen for a lease does not count", async () => {
    await begin("old", NUMBER);
    await run((admin) => admin.query("UPDATE node SET epoch = 2"));
    await expect(upgrade(2)).rejects.toThrow("on old (0.1.0)");
    await run((admin) => admin.query("UPDATE node SET seen_at = seen_at - 20000"));
    await upgrade(2);
  });

  test("the older one leaves an effect that it does not know, and what waits behind it, to the newer one", async () => {
    const { id: agentId } = await insertAgent(store);
    const kinds = [
      ["new", "a"],
      ["behind", "a"],
      ["beside", "b"],
    ] as const;
    await store.effects.add(
      kinds.map(([key, lane]) => effect({ key, lane, agentId, payload: { kind: "status_comment" } })),
    );
    await run((admin) =>
      admin.query(`UPDATE effect SET kind = 'fly', payload = '{"kind":"fly"}' WHERE key = 'new'`),
    );
    const lease = { token: "t", node: "old", now: 5000, leaseMs: () => 10, limit: 9 };
    expect((await store.effects.lease(lease)).map(({ key }) => key)).toEqual(["beside"]);
    const { rows } = await run((admin) => admin.query("SELECT state FROM effect WHERE key = 'new'"));
    expect(rows).toEqual([{ state: "pending" }]);
  });

  test("the older one passes over events of runs that it does not know", async () => {
    const place = { repositoryId: 7, issue: 1, at: 1, agentId: null };
    const event = { type: "agent:paused", data: { state: "SLEEPING", reason: "r" } } as const;
    for (let count = 0; count < 4; count += 1) await store.runEvents.add({ ...place, event });
    await run((admin) => admin.query("UPDATE run_event SET type = 'agent:flew' WHERE id <> 3"));
    expect([await eventsAfter(0), await eventsAfter(3)]).toEqual([[3], []]);
  });
});

import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, schemaFault } from "../../src/adapters/store/postgres/schema.ts";
import { effect, repository } from "../adapters/store/samples.ts";
import {
  asAdmin,
  asFlotillaReads,
  databaseAt,
  describeWithPostgres,
  nameOf,
  newDatabase,
} from "./databases.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

const UNREACHABLE = "postgres://flotilla@127.0.0.1:1/flotilla";

/** A database of this version, and a way to change it from outside. */
async function made() {
  const url = await newDatabase();
  await (await databaseAt(url).open({})).close();
  return {
    url,
    database: databaseAt(url),
    run: (sql: string) => asAdmin(nameOf(url), (admin) => admin.query(sql)),
  };
}

describeWithPostgres("a PostgreSQL database that cannot be used", () => {
  test("without a server is told in one sentence, and without its password", async () => {
    const database = databaseAt("postgres://flotilla:hush@127.0.0.1:1/flotilla");
    const told = `${UNREACHABLE} cannot be reached (connect ECONNREFUSED 127.0.0.1:1). Start the PostgreSQL server, or correct DATABASE_URL.`;
    await expect(database.open({})).rejects.toThrow(told);
    expect(await database.durabilityFaults()).toEqual([
      {
        about: UNREACHABLE,
        what: "cannot be read (connect ECONNREFUSED 127.0.0.1:1)",
        next: "Start the PostgreSQL server, or correct DATABASE_URL",
      },
    ]);
    const error: unknown = await database.exists().catch((caught: unknown) => caught);
    expect(database.readingFault(error)).toMatchObject({
      what: "cannot be read (connect ECONNREFUSED 127.0.0.1:1)",
    });
  });

  test("that the server does not have is told by its name", async () => {
    const url = await newDatabase();
    await expect(databaseAt(`${url}_other`).open({})).rejects.toThrow(
      /database "test_\d+_\d+_other" does not exist/,
    );
  });

  test("of a newer version is refused, unless it says that this version can use it", async () => {
    const { url, database, run } = await made();
    await run("INSERT INTO flotilla_migration (number, name, min_reader) VALUES (98, '0098_expand', 1)");
    expect(await database.schemaFault()).toBeUndefined();
    await (await databaseAt(url).open({})).close();
    await run("INSERT INTO flotilla_migration (number, name, min_reader) VALUES (99, '0099_contract', 99)");
    expect(await database.schemaFault()).toEqual({
      what: expect.stringMatching(
        /^was changed by a newer version of Flotilla \(it has schema 99, and this version reads up to \d+\)/,
      ),
      next: "Start the newer version, or restore a backup from before the upgrade",
    });
    await expect(database.open({})).rejects.toThrow("was changed by a newer version of Flotilla");
  });

  test("of another program is refused, and stays as it is", async () => {
    const url = await newDatabase();
    await asAdmin(nameOf(url), (admin) => admin.query("CREATE TABLE shop (id BIGINT)"));
    await expect(databaseAt(url).open({})).rejects.toThrow(
      "holds tables of another program. Create a database for Flotilla alone.",
    );
    const { rows } = await asAdmin(nameOf(url), (admin) =>
      admin.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"),
    );
    expect(rows).toEqual([{ tablename: "shop" }]);
  });

  test.each([
    ["DROP TRIGGER agent_added ON agent", "lacks the trigger agent_added"],
    ["DROP INDEX effect_look", "lacks the index effect_look"],
    ["DROP TABLE lone_opening", "lacks the table lone_opening"],
  ])("that was damaged by %s is refused", async (damage, what) => {
    const { database, run } = await made();
    await run(damage);
    expect(await database.schemaFault()).toMatchObject({ what: expect.stringContaining(what) });
    await expect(database.open({})).rejects.toThrow(what);
  });

  test("that is set to read only is refused", async () => {
    const { url, database, run } = await made();
    await run(`ALTER DATABASE ${nameOf(url)} SET default_transaction_read_only = on`);
    await expect(database.open({})).rejects.toThrow(
      "is set to read only (default_transaction_read_only). Turn that off",
    );
  });

  test("in another encoding is refused", async () => {
    const url = await newDatabase();
    const name = `${nameOf(url)}_latin`;
    await asAdmin("postgres", (admin) =>
      admin.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`),
    );
    await expect(databaseAt(`${url}_latin`).open({})).rejects.toThrow("stores texts as LATIN1");
  });

  test("is migrated once by many that start at the same time", async () => {
    const url = await newDatabase();
    const clients = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = new Client({ connectionString: url, types: { getTypeParser: asFlotillaReads } });
        await client.connect();
        return client;
      }),
    );
    const steps = ["CREATE TABLE one (id BIGINT)", "CREATE TABLE two (id BIGINT)"].map((sql, at) => ({
      name: `000${at + 1}`,
      sql,
      minReader: 1,
    }));
    await Promise.all(clients.map((client) => migrate(client, steps)));
    const [client] = clients;
    expect((await client?.query("SELECT number FROM flotilla_migration ORDER BY 1"))?.rows).toEqual([
      { number: 1 },
      { number: 2 },
    ]);
    expect(await schemaFault(clients[0] ?? new Client(), steps)).toBeUndefined();
    await Promise.all(clients.map((one) => one.end()));
  });

  test.each([
    ["of another server", "UPDATE server SET system_identifier = '1'"],
    ["that the operator says was restored", "UPDATE server SET timeline = 0"],
  ])("%s counts as restored: what was under way is looked for first", async (_, change) => {
    const { url, run } = await made();
    const store = await databaseAt(url).open({});
    await store.repositories.put(repository);
    const [id = 0] = await store.effects.add([effect({ key: "e" })]);
    expect(await store.effects.get(id)).toMatchObject({ uncertain: false });
    await store.close();
    await run(change);
    const again = await databaseAt(url).open({});
    expect(await again.effects.get(id)).toMatchObject({ uncertain: true });
    await again.close();
    await (await databaseAt(url).open({})).close();
    expect((await run("SELECT count(*)::int AS count FROM restored")).rows).toEqual([{ count: 1 }]);
  });
});

describeWithPostgres("a PostgreSQL server that could lose work", { timeout: 120_000 }, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(["fsync=off", "full_page_writes=off", "synchronous_commit=off"]);
  }, 60_000);
  afterAll(() => server.remove());

  test("is told setting by setting", async () => {
    const faults = await databaseAt(`${server.url}/postgres`).durabilityFaults();
    expect(faults.map(({ what, next }) => `${what.split(":")[0]}. ${next}`)).toEqual([
      "the server has fsync = off. Set fsync = on for the server",
      "the server has full_page_writes = off. Set full_page_writes = on for the server",
      "the server has synchronous_commit = off. Set synchronous_commit = on for the server",
    ]);
  });
});

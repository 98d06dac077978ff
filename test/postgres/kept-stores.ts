import { Client } from "pg";
import type { OpenOptions, OpenStore } from "../../src/adapters/store/database.ts";
import { asAdmin, databaseAt, nameOf, newDatabase } from "./databases.ts";

/** An open store on a database that no test uses. */
interface Kept {
  readonly options: OpenOptions;
  readonly store: OpenStore;
  /** Removes all rows. */
  readonly empty: () => Promise<void>;
}

const unused: Kept[] = [];

/**
 * Opens an empty store; closed, its database and connections serve the next test. To connect, and to plan each statement
 * anew, takes longer than most tests.
 */
export async function openPostgres(options: OpenOptions = {}): Promise<OpenStore> {
  const place = unused.findIndex((kept) => isSame(kept.options, options));
  const kept = unused.splice(place, place === -1 ? 0 : 1)[0] ?? (await create(options));
  const lent = lend(kept.store);
  return {
    ...lent.store,
    close: async () => {
      await lent.end();
      await kept.empty();
      unused.push(kept);
    },
  };
}

const isSame = (one: OpenOptions, other: OpenOptions): boolean =>
  one.redact === other.redact && one.crashPoint === other.crashPoint;

async function create(options: OpenOptions): Promise<Kept> {
  const url = await bySocket(await newDatabase());
  const store = await databaseAt(url).open(options);
  return { options, store, empty: await emptier(url) };
}

/** Returns the URL by the server's socket in the file system, which takes a third less time than TCP. */
async function bySocket(url: string): Promise<string> {
  const answer = await asAdmin(nameOf(url), (admin) =>
    admin.query<{ directory: string }>("SELECT current_setting('unix_socket_directories') AS directory"),
  );
  return `${url}?host=${encodeURIComponent(answer.rows[0]?.directory ?? "")}`;
}

/**
 * Returns the store until `end`, in objects of its own, which a test may change. What a test left running may still call
 * it then: such a call fails, as on a closed store, and what was called before is awaited. So nothing reaches the next
 * test.
 */
function lend(store: OpenStore): { store: OpenStore; end: () => Promise<void> } {
  const underWay = new Set<Promise<unknown>>();
  let ended = false;
  const lentCall =
    (call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      if (ended) return Promise.reject(new Error("this store is closed"));
      const result = call(...args);
      if (!(result instanceof Promise)) return result;
      const done = result.then(nothing, nothing).finally(() => underWay.delete(done));
      underWay.add(done);
      return result;
    };
  const lentValue = (value: unknown): unknown => {
    if (typeof value === "function") return lentCall((...args) => Reflect.apply(value, undefined, args));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? lent(value) : value;
  };
  const lent = <T extends object>(part: T): T =>
    Object.assign(
      { ...part },
      Object.fromEntries(Object.entries(part).map(([name, value]) => [name, lentValue(value)])),
    );
  return {
    store: lent(store),
    end: async () => {
      ended = true;
      await Promise.all(underWay);
    },
  };
}

const nothing = () => {};

/** Returns what removes all rows of this database, on a connection of its own. */
async function emptier(url: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  // The server ends before the process does.
  client.on("error", nothing);
  await client.connect();
  // So tables may be emptied in any order.
  await client.query("SET session_replication_role = replica");
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('flotilla_migration', 'server')",
  );
  const { rows: sequences } = await client.query<{ name: string }>(
    "SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'",
  );
  // Takes a tenth of the time of TRUNCATE, which makes each table's files anew.
  const steps = [
    ...tables.map(({ name }) => `DELETE FROM "${name}";`),
    ...sequences.map(({ name }) => `PERFORM setval('"${name}"', 1, false);`),
  ];
  await client.query(
    `CREATE FUNCTION pg_temp.empty() RETURNS VOID LANGUAGE plpgsql AS $$ BEGIN ${steps.join("\n")} END $$`,
  );
  return async () => {
    await client.query("SELECT pg_temp.empty()");
  };
}

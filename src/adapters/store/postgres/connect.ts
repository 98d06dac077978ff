import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
} from "kysely";
import {
  type ClientConfig,
  type CustomTypesConfig,
  DatabaseError,
  Pool,
  type PoolClient,
  types as parsers,
} from "pg";
import type { Redact } from "../../../domain/access/redact.ts";
import { DatabaseUnreachable, messageOf } from "../../../domain/kernel/errors.ts";
import { UniqueViolation } from "../sql/dialect.ts";
import { redactedValue } from "../sql/redacted-value.ts";
import { type Location, URL_VARIABLE } from "./location.ts";
import { QueryCompiler } from "./query-compiler.ts";

const { BOOL, INT8, NUMERIC } = parsers.builtins;
const UNIQUE_VIOLATION = "23505";
const CONNECT_MS = 10_000;
/** SQL texts differ by the length of their lists, so the program's queries do not bound their number. */
const MOST_NAMED = 500;
/** Key of the lock under which transactions follow each other: "FLOT" in ASCII. */
const TRANSACTIONS_LOCK = 0x464c4f54;

/**
 * Begins a transaction in one round trip. Transactions follow each other, whatever process they are of: what one has
 * read stays true until its commit. A process that stops inside of one loses it after ten seconds.
 */
const BEGIN = `begin; set local idle_in_transaction_session_timeout = '10s'; select pg_advisory_xact_lock(${TRANSACTIONS_LOCK})`;

/** What failed for want of the server is tried again after this time. */
const AGAIN_MS = 5_000;

const unreachable = (location: Location, cause: unknown) =>
  new DatabaseUnreachable(`${location.told} cannot be reached (${reasonOf(cause)})`, {
    retryAt: Date.now() + AGAIN_MS,
    advice: `Start the PostgreSQL server, or correct ${URL_VARIABLE}`,
    cause,
  });

/** A host with several addresses gives an error for each, and the whole has no text. */
const reasonOf = (cause: unknown): string =>
  cause instanceof AggregateError ? cause.errors.map(messageOf).join(", ") : messageOf(cause);

/** Reads whole numbers and sums as numbers, and conditions as 1 and 0. */
const types: CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === BOOL) return (text: string) => (text === "t" ? 1 : 0);
    return parsers.getTypeParser(oid, format);
  },
};

/** Returns how each connection to the server is made. */
export function connectionTo({ url }: Location): ClientConfig {
  return {
    connectionString: url,
    application_name: "flotilla",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  };
}

/** Returns connections to the server, opened when they are needed. */
export function connect(location: Location, max: number): Pool {
  const pool = new Pool({ ...connectionTo(location), max, types });
  // A lost connection fails the query that runs on it; the next query opens another one, and says why if it cannot.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

export interface DialectOptions {
  readonly location: Location;
  readonly redact?: Redact | undefined;
  /** The server refuses every write. */
  readonly readOnly?: boolean;
}

/** Returns Kysely's dialect on these connections. Texts are written without secrets and without NUL. */
export function dialectOn(pool: Pool, options: DialectOptions): Dialect {
  const connections = readyPool(pool, options);
  return {
    createDriver: () => new OneAfterAnother({ pool: connections }),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new QueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

class OneAfterAnother extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(BEGIN));
  }
}

/** Returns the pool with queries as this store writes them. */
function readyPool(
  pool: Pool,
  { location, redact = asItIs, readOnly = false }: DialectOptions,
): PostgresPool {
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>();
  const named = new Map<string, string>();
  const clean = (value: unknown) =>
    typeof value === "string" ? withoutNul(String(redactedValue(value, redact))) : value;
  /** Statements with a name are parsed once for each connection. */
  const nameOf = (text: string): string | undefined => {
    const name = named.get(text) ?? (named.size < MOST_NAMED ? `q${named.size}` : undefined);
    if (name !== undefined) named.set(text, name);
    return name;
  };
  const ask = async (client: PoolClient, text: string, values: readonly unknown[]) => {
    const name = values.length === 0 ? undefined : nameOf(text);
    try {
      return await client.query({ text, values: values.map(clean), ...(name === undefined ? {} : { name }) });
    } catch (error) {
      throw inOurWords(error, location);
    }
  };
  const wrap = (client: PoolClient): PostgresPoolClient => ({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely's type also names cursors, for streams, which no table uses
    query: ((text: string, values: readonly unknown[]) =>
      ask(client, text, values)) as unknown as PostgresPoolClient["query"],
    release: (destroy) => {
      if (!readOnly) client.release(destroy);
      else
        client.query("rollback").then(
          () => client.release(destroy),
          () => client.release(true),
        );
    },
  });
  return {
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw unreachable(location, error);
      });
      const known = wrapped.get(client) ?? wrap(client);
      wrapped.set(client, known);
      // A setting of the connection would stay with it in a pooler that stands before the server.
      if (readOnly) await ask(client, "begin read only", []);
      return known;
    },
    end: () => pool.end(),
    options: {},
  };
}

/**
 * Errors with which a server ends a connection or refuses a new one: classes 08, 53 and 57P, and 25P03 for a process that
 * stood still within a transaction. 25006 is said by a standby that has the server's address and is not promoted yet
 * (manual, appendix A).
 */
const GOING_AWAY = /^(?:08|53|57P|25P03|25006)/;
/** What the driver says of a connection that ended or was not made; such errors have no code. */
const NOT_CONNECTED =
  /^Connection terminated|^Client has encountered|timeout exceeded when trying to connect|^timeout expired/;

/** Converts an error of the driver to one that all databases throw. */
export function inOurWords(error: unknown, location: Location): unknown {
  if (error instanceof DatabaseError) {
    if (error.code === UNIQUE_VIOLATION) return new UniqueViolation(error.message, { cause: error });
    return GOING_AWAY.test(error.code ?? "") ? unreachable(location, error) : error;
  }
  const isOfSystem = error instanceof Error && "syscall" in error;
  const isLost = isOfSystem || error instanceof AggregateError || NOT_CONNECTED.test(messageOf(error));
  return isLost ? unreachable(location, error) : error;
}

/** Used without a redaction. */
const asItIs: Redact = (text) => text;

/** PostgreSQL stores no NUL. */
export const withoutNul = (text: string): string => text.replaceAll("\0", "\uFFFD");

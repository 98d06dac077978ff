import type { Database } from "better-sqlite3";

/** Kept by triggers, one for each repository, or the program's own. */
const NOT_COPIED =
  "repository repository_file scope_pause sweep restored provider_park sign_out kept_secret lone_opening tally day_cost reported_blocker linked_blocker agent_mark sqlite_sequence";
/** Those that others point at. */
const FIRST = ["agent", "task", "run", "session", "intent"];
/** Numbers of issues and pull requests, of which none may be met twice. */
const NUMBERS = ["issue", "pull", "pr_number", "first_issue"];
const APART = 2_000_000;
const UNIQUE_TEXTS = [
  "agent.name",
  "delivery.guid",
  "replay_input.guid",
  "effect.key",
  "wake.key",
  "touch.key",
];
const TIME = /^(?:at|not_before|[a-z_]+_(?:at|since|until))$/;

/**
 * Makes what copies all rows of the database at `path` into this one, the copy with the number `n` as they would stand had
 * all of it happened `n * everyMs` later, to other issues. Triggers see them as rows of the engine.
 */
export function copierOf(
  database: Database,
  { path, everyMs }: { path: string; everyMs: number },
): (n: number) => void {
  database.prepare("ATTACH ? AS week").run(path);
  const names = database.prepare("SELECT name FROM week.sqlite_schema WHERE type = 'table'").pluck().all();
  const tables = names
    .map(String)
    .filter((table) => !NOT_COPIED.split(" ").includes(table))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  const copies = tables.map((table) => {
    const columns = database
      .prepare<[], { name: string; type: string; pk: number }>(
        `SELECT name, type, pk FROM pragma_table_info('${table}')`,
      )
      .all();
    const parents = new Map(
      database
        .prepare<[], { own: string; parent: string }>(
          `SELECT "from" AS own, "table" AS parent FROM pragma_foreign_key_list('${table}')`,
        )
        .all()
        .map(({ own, parent }) => [own, parent]),
    );
    const numbered = columns.filter(({ pk }) => pk > 0).length === 1;
    const values = columns.map(({ name, type, pk }) => {
      const parent = parents.get(name);
      if (parent === "repository") return name;
      if (parent !== undefined) return `${name} + @n * ${last(parent)}`;
      if (name === "record_id")
        return `record_id + @n * CASE machine ${FIRST.map((one) => `WHEN '${one}' THEN ${last(one)}`).join(" ")} ELSE 0 END`;
      if (pk === 1 && numbered && type === "INTEGER") return `${name} + @n * ${last(table)}`;
      if (NUMBERS.includes(name)) return `${name} + @n * ${APART}`;
      if (TIME.test(name)) return `CASE WHEN ${name} > 0 THEN ${name} + @n * @everyMs ELSE ${name} END`;
      return UNIQUE_TEXTS.includes(`${table}.${name}`) ? `${name} || ':' || @n` : name;
    });
    const into = columns.map(({ name }) => name).join();
    return database.prepare(
      `INSERT INTO main.${table} (${into}) SELECT ${values.join()} FROM week.${table} ORDER BY rowid`,
    );
  });
  return (n) => {
    for (const copy of copies) copy.run({ n, everyMs });
  };
}

const placeOf = (table: string): number => (FIRST.includes(table) ? FIRST.indexOf(table) : FIRST.length);

/** The last number in the copied database. */
const last = (table: string): string => `(SELECT coalesce(max(rowid), 0) FROM week.${table})`;

import { appendFileSync } from "node:fs";
import { z } from "zod";

/** An arrow that was taken. `hand` = by a test that steps machines itself; `process` = by a Flotilla process of its own. */
export const reachedSchema = z.strictObject({
  machine: z.string(),
  from: z.string(),
  event: z.string(),
  to: z.string(),
  by: z.enum(["hand", "engine", "process"]),
});
export type Reached = z.infer<typeof reachedSchema>;
type Maker = Reached["by"];

/** Names the file that each new arrow is appended to; without it nothing is recorded. */
export const REACH_FILE = "LIFECYCLES_REACHED";

/** For processes of ours that tests start, so that they record as well. */
export function recordingEnvironment(): Readonly<Record<string, string>> {
  const file = process.env[REACH_FILE];
  return file === undefined ? {} : { [REACH_FILE]: file, NODE_OPTIONS: `--import ${import.meta.filename}` };
}

/** Folders whose tests drive the engine; tests of the store, the page and the plots write rows of their own. */
export const DRIVING = ["conformance", "engine", "faults", "journeys", "order", "simulation"];

const state = { byHand: 0, engine: true, written: new Set<string>() };

/** Tells from which file the tests are that run from now on: only what the engine writes in those that drive it counts. */
export function testsOf(file: string): void {
  state.engine = DRIVING.some((folder) => file.includes(`/test/${folder}/`));
}

/** Marks what is written meanwhile as a test's own; the engine's moves of that time count as such too, never the reverse. */
export async function byHand<T>(work: () => Promise<T>): Promise<T> {
  state.byHand += 1;
  try {
    return await work();
  } finally {
    state.byHand -= 1;
  }
}

const INSERT = /^insert into "transition" \((?<columns>[^)]*)\)/;

/** Appends every arrow that this process writes into `transition` to the file, once per maker. */
async function watchTransitions(file: string, maker: Maker): Promise<void> {
  const { prototype } = (await import("better-sqlite3")).default;
  // oxlint-disable-next-line typescript/unbound-method -- a proxy calls it on the database that it was called on
  const prepare = new Proxy(prototype.prepare, {
    apply(original, database, [sql]: [string]) {
      const statement = Reflect.apply(original, database, [sql]);
      const columns = INSERT.exec(sql)?.groups?.["columns"]?.replaceAll('"', "").split(", ");
      if (columns === undefined) return statement;
      const noting: ProxyHandler<typeof statement.run & typeof statement.all> = {
        apply(write, of, values: unknown[]) {
          const by = state.byHand > 0 || !state.engine ? "hand" : maker;
          // One statement may insert several rows.
          for (const row of rowsOf(columns, values.flat())) note(file, by, columns, row);
          return Reflect.apply(write, of, values);
        },
      };
      // oxlint-disable-next-line typescript/unbound-method -- as above
      statement.run = new Proxy(statement.run, noting);
      // oxlint-disable-next-line typescript/unbound-method -- as above
      statement.all = new Proxy(statement.all, noting);
      return statement;
    },
  });
  Object.defineProperty(prototype, "prepare", { value: prepare });
}

/** The values of a statement, one list for each row that it inserts. */
export function rowsOf(
  columns: readonly string[],
  values: readonly unknown[],
): readonly (readonly unknown[])[] {
  const count = values.length / columns.length;
  return Array.from({ length: count }, (_, row) =>
    values.slice(row * columns.length, (row + 1) * columns.length),
  );
}

function note(file: string, by: Maker, columns: readonly string[], values: readonly unknown[]): void {
  const of = (column: string) => String(values[columns.indexOf(column)]);
  const reached: Reached = {
    machine: of("machine"),
    from: of("from_state"),
    event: of("event"),
    to: of("to_state"),
    by,
  };
  const line = `${JSON.stringify(reached)}\n`;
  if (state.written.has(line)) return;
  state.written.add(line);
  appendFileSync(file, line);
}

const file = process.env[REACH_FILE];
if (file !== undefined)
  await watchTransitions(file, process.argv[1]?.endsWith("src/main.ts") === true ? "process" : "engine");

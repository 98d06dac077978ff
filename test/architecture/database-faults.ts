import { ROOMS } from "./rooms.ts";
import { importsOf, type Source } from "./source.ts";

const STORE = "src/adapters/store/";
/** Lists the databases, and so names each of them. */
const REGISTRY = `${STORE}registry.ts`;
const ENTRY = new RegExp(`^${STORE}([^/]+)/entry\\.ts$`);

/** A database, by its folder beside the registry. */
export interface KnownDatabase {
  readonly name: string;
  /** Packages that its folder imports and no other part of the store may. */
  readonly drivers: readonly string[];
}

/** The folders of the store that have an entry. */
export function databasesIn(sources: readonly Source[]): readonly KnownDatabase[] {
  return sources
    .flatMap(({ path }) => ENTRY.exec(path)?.[1] ?? [])
    .map((name) => {
      const own = sources.filter(({ path }) => path.startsWith(`${STORE}${name}/`));
      return { name, drivers: [...new Set(own.flatMap(({ text }) => importsOf(text)).filter(isDriver))] };
    });
}

function isDriver(target: string): boolean {
  const known = ROOMS["adapters/store"]?.packages ?? [];
  const isElsewhere = target.startsWith(".") || target.startsWith("node:");
  return !isElsewhere && known !== "every" && !known.includes(target.split("/")[0] ?? "");
}

/** What SQLite alone, or hardly another database, has in its SQL. */
const SQLITE_WORDS =
  /\b(?:not\s+indexed|indexed\s+by|cross\s+join|collate\s+nocase|insert\s+or\s+\w+|rowid|pragma\w*|json_(?:each|extract|valid|object|group_array|array|array_length)|strftime|unixepoch|julianday|iif|ifnull|instr|group_concat|total\s*\(|glob)\b|->>?/i;
/** Kysely's "is" with a value; with null it is SQL. */
const IS_WITH_VALUE = /"is(?: not)?", (?!null\b)/;

/** What keeps another database from a place beside these: one is named, or its SQL is written, outside its folder. */
export function databaseFaults(
  { path, text }: Source,
  databases: readonly KnownDatabase[],
): readonly string[] {
  if (!path.startsWith("src/") || path === REGISTRY) return [];
  const others = databases.filter(({ name }) => !path.startsWith(`${STORE}${name}/`));
  const named = others.flatMap(({ name, drivers }) => {
    const words = new RegExp(`\\S*${name}\\S*`, "i").exec(text)?.[0];
    const found = [...(words === undefined ? [] : [words]), ...importsOf(text).filter(isOneOf(drivers))];
    return found.slice(0, 1).map((what) => `${path}: ${what} belongs to ${STORE}${name}/`);
  });
  const isCommon = path.startsWith(STORE) && others.length === databases.length;
  return [...named, ...(isCommon ? wordsIn(text) : []).map((what) => `${path}: ${what} is no common SQL`)];
}

function isOneOf(drivers: readonly string[]): (target: string) => boolean {
  return (target) => drivers.includes(target);
}

function wordsIn(text: string): readonly string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  return [SQLITE_WORDS, IS_WITH_VALUE].flatMap((words) => words.exec(code)?.[0] ?? []);
}

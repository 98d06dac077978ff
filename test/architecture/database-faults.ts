import { posix } from "node:path";
import { importsOf, type Source } from "./source.ts";

const STORE = "src/adapters/store/";
const SQLITE = `${STORE}sqlite/`;
/** Chooses the database, and so knows each of them. */
const FACTORY = `${STORE}database-in.ts`;

/** What SQLite alone, or hardly another database, has in its SQL. */
const SQLITE_WORDS =
  /\b(?:not\s+indexed|indexed\s+by|cross\s+join|collate\s+nocase|insert\s+or\s+\w+|rowid|pragma\w*|sqlite_\w+|json_(?:each|extract|valid|object|group_array|array|array_length)|strftime|unixepoch|julianday|iif|ifnull|instr|group_concat|total\s*\(|glob)\b|->>?/i;
/** Kysely's "is" with a value; with null it is SQL. */
const IS_WITH_VALUE = /"is(?: not)?", (?!null\b)/;

/** What keeps another database from a place beside SQLite: it is known, or its SQL is written, outside its folder. */
export function databaseFaults({ path, text }: Source): readonly string[] {
  if (!path.startsWith("src/") || path.startsWith(SQLITE)) return [];
  const fault = (what: string) => `${path}: ${what} belongs to ${SQLITE}`;
  const known = importsOf(text)
    .map((target) => (target.startsWith(".") ? posix.join(posix.dirname(path), target) : target))
    .filter((target) => target === "better-sqlite3" || (path !== FACTORY && target.startsWith(SQLITE)));
  const dialects = /import\s*\{[^}]*\b(Sqlite\w+)[^}]*\}\s*from\s*"kysely"/.exec(text)?.[1];
  return [...known, ...(dialects === undefined ? [] : [dialects]), ...wordsIn(path, text)].map(fault);
}

function wordsIn(path: string, text: string): readonly string[] {
  if (!path.startsWith(STORE)) return [];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  return [SQLITE_WORDS, IS_WITH_VALUE].flatMap((words) => words.exec(code)?.[0] ?? []);
}

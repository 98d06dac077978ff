import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { circles, mutualFolders, valueImportsOf } from "./architecture/circles.ts";
import { databaseFaults, databasesIn } from "./architecture/database-faults.ts";
import { formFaults, readmeFaults } from "./architecture/form-faults.ts";
import { importFaults } from "./architecture/import-faults.ts";
import { logFaults } from "./architecture/log-faults.ts";
import { MUTUAL_FOLDERS } from "./architecture/mutual-folders.ts";
import { purityFaults } from "./architecture/purity-faults.ts";
import { TOP_LEVEL } from "./architecture/rooms.ts";
import { codeOnly, importsOf, readSources, topLevelEntries } from "./architecture/source.ts";

const ROOT = join(import.meta.dirname, "..");
const house = readSources(ROOT, ["src"]);
const all = [...house, ...readSources(ROOT, ["test", "bench"])];
const code = house.filter(({ path }) => path.endsWith(".ts"));

const databases = databasesIn(code);

/** Folders of the domain that serve all subjects. */
const NO_SUBJECTS = new Set(["ports", "messages", "safe-text"]);

const foldersOf = (side: "domain" | "engine") =>
  new Set(code.flatMap(({ path }) => new RegExp(`^src/${side}/([^/]+)/`).exec(path)?.[1] ?? []));

const row = (subject: string, decided: boolean, done: boolean) => `${subject}: ${decided}, ${done}`;

/** Whether a line `file: import` is of a subject on that side. */
const isOf = (side: string, folders: Iterable<string>) => (fault: string) =>
  [...folders].some((folder) => folder !== "kernel" && fault.includes(`: src/${side}/${folder}/`));

describe("the house", () => {
  it("was read", () => {
    expect(code.length).toBeGreaterThan(100);
  });

  it("has only imports that its rooms allow", () => {
    expect(code.flatMap(importFaults)).toEqual([]);
  });

  it("has a domain without clock, chance, waiting and outside, ports without code, an engine without clock and chance of its own", () => {
    expect(house.flatMap(purityFaults)).toEqual([]);
  });

  it("has small files, named after one idea, with named exports", () => {
    expect(all.flatMap(formFaults)).toEqual([]);
  });

  it("says in each room what it is for", () => {
    expect(readmeFaults(house.map(({ path }) => path))).toEqual([]);
  });

  it("has a row in its map for each subject, with the sides on which it has a folder", () => {
    const [domain, engine] = [foldersOf("domain"), foldersOf("engine")];
    const map = house.find(({ path }) => path === "src/README.md")?.text ?? "";
    const rows = map.matchAll(/^\| `([a-z-]+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm);
    const shown = [...rows].map(([, subject = "", decided, done]) =>
      row(subject, decided === "✓", done === "✓"),
    );
    const subjects = [...new Set([...domain, ...engine])].filter((folder) => !NO_SUBJECTS.has(folder));
    expect(shown.toSorted()).toEqual(
      subjects.map((subject) => row(subject, domain.has(subject), engine.has(subject))).toSorted(),
    );
  });

  it("has no circle of imports, type imports counted", () => {
    expect(circles(code)).toEqual([]);
  });

  it("has no folders that import one another beside those that are listed, and lists no others", () => {
    expect(mutualFolders(code)).toEqual(MUTUAL_FOLDERS);
  });

  it("has kernels that import no subject, except types", () => {
    const [domain, engine] = [foldersOf("domain"), foldersOf("engine")];
    const subjects = [...domain].filter((folder) => !NO_SUBJECTS.has(folder) && folder !== "decisions");
    const kernels = code.filter(({ path }) => /^src\/(?:domain|engine)\/kernel\//.test(path));
    const imported = kernels.flatMap(({ path, text }) =>
      valueImportsOf(text).map((target) => `${path}: ${posix.join(posix.dirname(path), target)}`),
    );
    expect(kernels.length).toBeGreaterThan(20);
    expect(imported.filter(isOf("engine", engine))).toEqual([]);
    expect(
      imported.filter((fault) => fault.startsWith("src/domain/")).filter(isOf("domain", subjects)),
    ).toEqual([]);
  });

  it("names each database in its folder and in the registry alone, so that another one is a folder beside it", () => {
    expect(databases).toContainEqual({ name: "sqlite", drivers: ["better-sqlite3"] });
    expect(code.flatMap((source) => databaseFaults(source, databases))).toEqual([]);
  });

  it("has nothing at the top but what belongs there", () => {
    expect(topLevelEntries(ROOT).filter((entry) => !TOP_LEVEL.has(entry))).toEqual([]);
  });
});

it("logs constant messages, so that they can be counted and quote nobody", () => {
  expect(code.flatMap(logFaults)).toEqual([]);
});

it.each([
  ["log.warn({ a }, `it was ${b}`);", "`it was ${b}`"],
  ['options.log.error({ a: "(", b: f(1, 2) }, "so: " + text);', '"so: " + text'],
  ["context.log.info({}, message);", "message"],
])("finds a planted message that varies: %s", (text, message) => {
  expect(logFaults({ path: "src/a.ts", text })).toEqual([
    `src/a.ts: the message of a log call is ${message}, not a constant text`,
  ]);
});

const twoDatabases = [
  { name: "sqlite", drivers: ["better-sqlite3"] },
  { name: "other", drivers: ["driver"] },
];

it.each([
  ["src/cli/a.ts", 'import SqliteDatabase from "better-sqlite3";', "SqliteDatabase belongs to", "sqlite/"],
  ["src/cli/a.ts", 'import { connect } from "driver";', "driver belongs to", "other/"],
  ["src/adapters/store/sqlite/a.ts", 'import { connect } from "driver";', "driver belongs to", "other/"],
  ["src/adapters/store/tables/a.ts", "// As SQLite does.", "SQLite belongs to", "sqlite/"],
  ["src/cli/a.ts", 'open("other:/here")', 'open("other:/here") belongs to', "other/"],
])("finds what one database alone knows in %s: %s", (path, text, what, folder) => {
  expect(databaseFaults({ path, text }, twoDatabases)).toEqual([
    `${path}: ${what} src/adapters/store/${folder}`,
  ]);
});

it.each([
  ["// All.\nsql`select 1 from json_each(?)`", "json_each"],
  ["sql`select * from agent\n  INDEXED BY agent_left`", "INDEXED BY"],
  ["sql`result ->> 'number'`", "->>"],
  ['.where("issue", "is", about.issue)', '"is", '],
])("finds what only SQLite has in its SQL: %s", (text, what) => {
  const path = "src/adapters/store/tables/a.ts";
  expect(databaseFaults({ path, text }, twoDatabases)).toEqual([`${path}: ${what} is no common SQL`]);
});

it.each([
  ["src/adapters/store/sqlite/a.ts", 'import SqliteDatabase from "better-sqlite3";\nsql`rowid`'],
  ["src/adapters/store/registry.ts", 'import { sqlite } from "./sqlite/entry.ts";'],
  ["src/adapters/store/tables/a.ts", '// by its rowid\n.where("removedAt", "is", null)'],
])("lets what any database has pass in %s", (path, text) => {
  expect(databaseFaults({ path, text }, twoDatabases)).toEqual([]);
});

describe("a planted import", () => {
  it.each([
    ["src/domain/a.ts", 'import { readFileSync } from "node:fs";', "domain uses no built-ins of Node"],
    [
      "src/domain/a.ts",
      'import kysely from "kysely";',
      "domain may use zod, croner, mdast-util-from-markdown only",
    ],
    ["src/domain/a.ts", 'import { advance } from "../engine/advance.ts";', "domain may import itself only"],
    [
      "src/domain/agents/a.ts",
      'export { x } from "../../adapters/git/x.ts";',
      "domain may import itself only",
    ],
    [
      "src/adapters/git/a.ts",
      'import { x } from "../github/x.ts";',
      "adapters/git may import itself, domain, time only",
    ],
    [
      "src/adapters/git/a.ts",
      'import type { X } from "../../engine/x.ts";',
      "adapters/git may import itself, domain, time only",
    ],
    [
      "src/adapters/git/a.ts",
      'import {\n  a,\n  b,\n} from "../store/x.ts";',
      "adapters/git may import itself, domain, time only",
    ],
    [
      "src/adapters/git/a.ts",
      'const x = await import("../store/x.ts");',
      "adapters/git may import itself, domain, time only",
    ],
    ["src/adapters/git/a.ts", 'import "../store/x.ts";', "adapters/git may import itself, domain, time only"],
    [
      "src/engine/a.ts",
      'import { x } from "../adapters/store/x.ts";',
      "engine may import itself, domain, time only",
    ],
    ["src/engine/a.ts", 'import { x } from "@octokit/rest";', "engine may use zod, p-queue only"],
    [
      "src/adapters/github/a.ts",
      'import { x } from "@octokitty/rest";',
      "adapters/github may use zod, @octokit, lru-cache only",
    ],
    [
      "src/adapters/runtimes/a.ts",
      'import { x } from "@github/other";',
      "adapters/runtimes may use zod, @modelcontextprotocol/server only",
    ],
    ["src/main.ts", 'import { x } from "../test/x.ts";', "src imports nothing outside of src"],
    ["src/domain/a.ts", 'import { x } from "./b";', "imports end in .ts"],
  ])("in %s, %j, is found: %s", (path, text, why) => {
    expect(importFaults({ path, text })).toEqual([expect.stringContaining(`${path}: imports`)]);
    expect(importFaults({ path, text })[0]).toMatch(new RegExp(`, but ${why}$`));
  });

  it("in a room that does not exist is found", () => {
    expect(importFaults({ path: "src/attic/a.ts", text: "" })).toEqual([
      "src/attic/a.ts: there is no room attic",
    ]);
  });

  it.each([
    ["src/main.ts", 'import { x } from "./store/open.ts";\nimport { pino } from "pino";'],
    ["src/domain/a.ts", 'import { z } from "zod";\nimport { x } from "./agents/agent.ts";'],
    [
      "src/adapters/store/a.ts",
      'import { Migrator } from "kysely/migration";\nimport { x } from "../../domain/a.ts";',
    ],
    ["src/adapters/github/a.ts", 'import { Octokit } from "@octokit/rest";'],
    ["src/adapters/runtimes/copilot/a.ts", 'import { x } from "@github/copilot-sdk";'],
  ])("in %s that is allowed passes", (path, text) => {
    expect(importFaults({ path, text })).toEqual([]);
  });

  it("counts, however it is written", () => {
    expect(
      importsOf('import a from "a";\nexport * from "b";\n  import("c");\nimport "d";\nrequire("e");'),
    ).toEqual(["a", "b", "d", "c", "e"]);
    expect(importsOf('const text = "import a from b";\n// import x from y')).toEqual([]);
  });
});

describe("a planted circle", () => {
  const a = { path: "src/domain/a/a.ts", text: 'import { b } from "../b/b.ts";' };
  const b = { path: "src/domain/b/b.ts", text: 'import type { C } from "./c.ts";' };
  const c = { path: "src/domain/b/c.ts", text: 'import type { A } from "../a/a.ts";' };

  it("is found, also of types", () => {
    expect(circles([a, b, c])).toEqual([[a.path, b.path, c.path]]);
    expect(circles([a, b])).toEqual([]);
  });

  it("of folders is found where values are imported", () => {
    expect(mutualFolders([a, b, c])).toEqual([]);
    const value = { ...c, text: 'import { type A, a } from "../a/a.ts";' };
    expect(mutualFolders([a, b, value])).toEqual(["domain/a <-> domain/b"]);
  });
});

describe("planted impurity", () => {
  it.each([
    ["export async function a() {}", "waits"],
    ["const a: Promise<void> = b();", "waits"],
    ["const a = Date.now();", "reads the clock"],
    ["const a = new Date();", "reads the clock"],
    ["const a = Math.random();", "is not repeatable"],
    ["setTimeout(a, 5);", "sets a timer"],
    ["const a = process.env.HOME;", "reaches outside"],
    ["const a = `${Date.now()}`;", "reads the clock"],
  ])("%j in the domain is found: it %s", (text, why) => {
    expect(purityFaults({ path: "src/domain/a.ts", text })).toEqual([
      expect.stringContaining(`src/domain/a.ts: ${why}`),
    ]);
    expect(purityFaults({ path: "src/adapters/store/a.ts", text })).toEqual([]);
  });

  it.each([
    ["const a = Date.now();", "reads the clock"],
    ["const a = new Date();", "reads the clock"],
    ["const a = Math.random();", "is not repeatable"],
    ['import { randomUUID } from "node:crypto";', "is not repeatable"],
    ["setTimeout(a, 5);", "sets a timer"],
    ["const a = setInterval(b, 5);", "sets a timer"],
  ])("%j in the engine is found: it %s", (text, why) => {
    expect(purityFaults({ path: "src/engine/a.ts", text })).toEqual([
      expect.stringContaining(`src/engine/a.ts: ${why}`),
    ]);
  });

  it("is not what the engine needs to wait for others", () => {
    const text = "export async function a() { await b; setImmediate(c); }";
    expect(purityFaults({ path: "src/engine/a.ts", text })).toEqual([]);
  });

  it("is not seen in words, nor in a date that is given", () => {
    const text = '// async\n/* Promise */\nconst a = "await"; const b = new Date(5);';
    expect(purityFaults({ path: "src/domain/a.ts", text })).toEqual([]);
    expect(codeOnly(text)).toBe('\n\nconst a = ""; const b = new Date(5);');
  });

  it("of a port is code", () => {
    const path = "src/domain/ports/a.ts";
    expect(purityFaults({ path, text: "export interface A { b(): Promise<void> }" })).toEqual([]);
    expect(purityFaults({ path, text: "export const a = 1;" })).toEqual([
      `${path}: holds code, but a port is an interface`,
    ]);
  });
});

describe("a planted file", () => {
  it.each([
    ["src/engine/advanceAll.ts", "is not kebab-case", "export {};"],
    ["test/domain/Advance.test.ts", "is not kebab-case", "export {};"],
    ["src/engine/utils.ts", "names no idea", "export {};"],
    ["src/engine/utils/time.ts", "names no idea", "export {};"],
    ["src/domain/types.ts", "names no idea", "export {};"],
    ["src/domain/index.ts", "names no idea", "export {};"],
    ["src/domain/a.ts", "has a default export", "export default 1;"],
    ["src/domain/b.ts", "has a default export", "export { a as default };"],
    ["src/domain/a.ts", "re-exports", 'export * from "./b.ts";'],
    ["src/domain/a.ts", "351 lines, at most 350", "1;\n".repeat(351)],
    ["src/domain/README.md", "31 lines, at most 30", "a\n".repeat(31)],
    ["src/README.md", "81 lines, at most 80", "a\n".repeat(81)],
  ])("%s is found: %s", (path, why, text) => {
    expect(formFaults({ path, text })).toEqual([expect.stringContaining(why)]);
  });

  it.each([
    ["src/domain/a-b.ts", "1;\n".repeat(350)],
    ["test/domain/a-b.test.ts", 'import fc from "fast-check";'],
    ["src/domain/README.md", "a\n".repeat(30)],
  ])("%s that is as it should be passes", (path, text) => {
    expect(formFaults({ path, text })).toEqual([]);
  });

  it("without a README in its room is found", () => {
    expect(
      readmeFaults(["src/README.md", "src/main.ts", "src/adapters/git/README.md", "src/domain/a.ts"]),
    ).toEqual(["src/domain/README.md: is missing"]);
  });
});

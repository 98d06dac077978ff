import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { drawnOnly, reachOf, TABLES } from "./arrows.ts";
import { EXCEPTIONS } from "./exceptions.ts";
import { DRIVING, REACH_FILE, reachedSchema } from "./record.ts";

/**
 * `npm run reach`: runs what drives the engine, and prints which arrows of the lifecycles were taken. Ends with 1 when one
 * never was, or when a page draws one that no table has. `npm run reach -- --read` only reads what the last run recorded.
 */
const root = join(import.meta.dirname, "../..");
const file = process.env[REACH_FILE] ?? join(root, "coverage/reach.jsonl");
const say = (text: string) => process.stdout.write(`${text}\n`);

const [mode, ...only] = process.argv.slice(2);
let status: number | null = 0;
if (mode !== "--read") {
  rmSync(file, { force: true });
  mkdirSync(join(file, ".."), { recursive: true });
  const folders = mode === undefined ? DRIVING.map((folder) => `test/${folder}/`) : [mode, ...only];
  const projects = ["shared", "endurance"].flatMap((project) => ["--project", project]);
  const env = { ...process.env, [REACH_FILE]: file };
  status = spawnSync("vitest", ["run", ...projects, ...folders], { cwd: root, env, stdio: "inherit" }).status;
}
const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
const reached = lines.filter((line) => line !== "").map((line) => reachedSchema.parse(JSON.parse(line)));
const reach = reachOf(TABLES, reached);

say("| machine | arrows in its table | taken by the engine in tests | by the real process | never |");
say("|---|---|---|---|---|");
for (const one of reach)
  say(`| ${one.machine} | ${one.arrows} | ${one.engine} | ${one.process} | ${one.never.length} |`);
const never = reach.flatMap(({ machine, never: arrows }) => arrows.map((arrow) => `${machine}: ${arrow}`));
const unruled = never.filter((arrow) => !Object.hasOwn(EXCEPTIONS, arrow));
const needless = Object.keys(EXCEPTIONS).filter((arrow) => !never.includes(arrow));
const pages = globSync("docs/**/*.md", { cwd: root });
const drawn = pages.flatMap((page) => drawnOnly(TABLES, readFileSync(join(root, page), "utf8")));
const unknown = reach.flatMap(({ machine, unknown: arrows }) =>
  arrows.map((arrow) => `${machine}: ${arrow}`),
);
for (const [what, list] of [
  ["Never taken", unruled],
  ["Taken, but ruled to be out of reach", needless],
  ["Drawn by docs/, but in no table", drawn],
  ["Written by a test, but in no table", unknown],
] as const)
  for (const arrow of list) say(`${what}: ${arrow}`);
process.exit(status === 0 && unruled.length + needless.length + drawn.length === 0 ? 0 : 1);

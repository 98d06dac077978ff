import SqliteDatabase from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { aHome, type Home } from "./home.ts";

const OWN = "roles: { feat-dev: { triggers: [{ event: issues.labeled, label: feature }] } }";
let home: Home;

beforeAll(async () => {
  home = await aHome(OWN);
}, 180_000);
afterAll(() => home.remove());

const answer = z.object({
  differs: z.int(),
  issues: z.tuple([
    z.looseObject({
      beyond: z.array(z.unknown()),
      deliveries: z.int(),
      same: z.record(z.string(), z.int()),
      differing: z.array(z.looseObject({ guid: z.string(), because: z.array(z.string()).nullable() })),
      untold: z.array(z.looseObject({ why: z.string() })),
    }),
  ]),
});

async function replayed(...lines: readonly string[]) {
  const config = lines.length > 0 ? { config: home.other(...lines) } : {};
  const { text } = await home.say(["acme/shop#1"], { ...config, json: true });
  const { differs, issues } = answer.parse(JSON.parse(text));
  return { differs, ...issues[0] };
}

function change(sql: string): void {
  const database = new SqliteDatabase(home.database);
  database.exec(sql);
  database.close();
}

test("what the repository's own file started is started again, whatever label the operator has for it", async () => {
  const same = { transitions: 7, wakes: 1, ignored: 0 };
  expect(await replayed()).toMatchObject({ differs: 0, same, untold: [] });
  const role = "prompt: feat-dev.md, lifecycle: persistent";
  const label = `roles: { feat-dev: { ${role}, triggers: [{ event: issues.labeled, label: soon }] } }`;
  expect(await replayed(label)).toMatchObject({ differs: 0, same, untold: [] });
});

test("another configuration holds below the own file, and its key is named", async () => {
  const { differs, differing } = await replayed("policy: { who_may_command: admin }");
  expect(differs).toBe(5);
  const started = differing.find(({ guid }) => guid === "asked-and-answered-7");
  expect(started?.because).toEqual(["policy.who_may_command"]);
});

test("a limit that the own file sets already is no difference of the other configuration", async () => {
  const lower = "circuit_breakers: { defaults: { max_turns: 2 } }";
  expect((await replayed(lower)).beyond).toHaveLength(1);
  change(`UPDATE repository_file SET override = json_set(override, '$.limits.defaults.maxTurns', 2)`);
  expect((await replayed(lower)).beyond).toEqual([]);
});

test("a file that is gone from the record is not taken for none", async () => {
  change(`UPDATE replay_input SET answers = json_remove(answers, '$."ownFile(acme/shop)"')`);
  const { deliveries, untold } = await replayed();
  expect(deliveries).toBe(0);
  const other = untold.filter(({ why }) => !why.startsWith("GitHub was not asked then: ownFile(acme/shop)"));
  expect(other).toEqual([]);
});

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { schemaOf } from "../../../src/adapters/store/sqlite/schema-number.ts";
import { ownVersion } from "../../../src/server/own-version.ts";
import { repository } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

/** A migration in this list is never edited: databases exist that have had it. A new one gets a line of its own. */
const CHECKSUMS = {
  "0001_first_release": "77d10e95b0fc1cd8e60c5fef0deeb98f0c28d8e04a7accd1fde75cbcc797ccda",
  "0002_carried_requests": "42f71c34f9e861249fedfd7e8f1b20ef930235515ad011d7927b2f238b695bb3",
  "0003_rejection_source": "e46d443b5c945cef628a9add1089573b3b94b7a039ad9b39a151715dfe0a02e0",
  "0004_pending_calls": "7be675d1ec9b7ecb1a30964278b41b1b4effb66fbf4a871b3214c1875fd53ef3",
  "0005_start_choice": "58b3c807b62ffe117606c883013a10d3210f1849d9b4c9bfaa05111df7e037d4",
  "0006_paused_by_a_file": "a4d42c74eb1dfaaba25ccd0def1a95c6fa5c018a68e828378aeb900d3f1e867e",
  "0007_start_temperature": "e8245cd3d2dfaf860dc69632f9c987ecc8bf9e774f04efee9ca53e4e709cb74d",
  "0008_repository_instructions": "c648c4c0e14bd14bf9c63fd74f52fc35a059b2e6d3450023c31fbf1889e47dbc",
  "0009_base_branch": "4722f0a46f97c5e44be3dc0c36f374fb3e06608062f91d239efbaeaf445530b6",
  "0010_backport": "2b98cbc3a8bac2ec402fc5c206858bd76282db61531928f677987c05dbc3a4e1",
  "0011_shown_pictures": "3255ca652a1fea57be4c710006c915125c28a9eb9c9d147713a420a101ed5c6d",
  "0012_leases": "0ff4645807ed5643ae3f59f0efb91b73dae69833ff4a2e4899ea31d76dbc9977",
  "0013_caused_by": "31f2fef161332c8ef030c6a430d0c50e23b170d711e7284eac2f096dbec67f5b",
  "0014_kept_secret": "ecfd7f8c39faa17360a33492b80f62ce93c8651116f5b0f0a9445fd5af9e2902",
  "0015_nodes": "81f0d79cdbc9dd4200d3db8559a827ad0da921224bd649855b1a0a4247e29517",
  "0016_checkpoint": "6e8118f8bcf4c6b5e0505f327ccde1afc9220f41d4326ea201a1c0830a3cf0da",
  "0017_conversation": "a7959f2db9fb05487237ed3e6c1f758f9e4f1c42ee47228818f3a811494c1deb",
  "0018_drain": "8a7e909c21102b84d244e1f6a79fbd028b5e13a83bef25d7e86897aaac60824b",
  "0019_node_roles": "737119f756283dc667b33385d95cc3b49defccbcfbfc6986bec3c535fe9a2749",
  "0020_drain_reason": "8efc3014d5ba9ccfa42833c1930f3a29f18aee949790069053f0312bc7a85392",
  "0021_runtime_version": "a03b7e634bcc6a75e01fce1de9d00082469a6a64c192cc22c74e88fb150e2ed2",
  "0022_risk_above": "ef8e6c273e909127132bb3a51461d3a6709018218d175c25237ffb877772b142",
  "0023_scheduled": "91b1458e7de3346683e541214f0253cb679fc3a92d62faac917daa697770ed38",
  "0024_acts_of_people": "cb4207827ba4537223b268b946d0c76e843c953e20e02f33839896717accf140",
  "0025_screens": "7b9bf8cde77841b5513c9428ecc8b1439a3baf9574bcb71b549181e15df00194",
  "0026_where_people_acted": "1e2a437b1555de6bf944869f6e1a0f74bdd9e3abb0b910db586d597f7a0c1cd7",
};

const TABLES =
  `agent agent_mark app_identity approval archive blockers check_attempt checkpoint conversation day_cost day_grant decision delivery effect evidence goal handoff incident intent issue_text kept_secret linked_blocker lone_opening node progress provider_park question replay_input reported_blocker repository repository_file restored
 review_lease round run run_event scope_pause screen seen_check seen_pull session sign_out sprint sweep tally task token_request tool_call touch transition usage verdict wake`.split(
    /\s+/,
  );

test("all migrations on an empty database make the schema that is written down", async () => {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const objects = database
    .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type DESC, name")
    .pluck()
    .all();
  await expect(`${objects.join(";\n\n")};\n`).toMatchFileSnapshot("../../fixtures/schema.sql");
});

test("every table that others read is there, and strict", () => {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const tables = database.prepare(
    "SELECT name, strict FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  expect(tables.raw().all()).toEqual(TABLES.map((name) => [name, 1]));
});

test("a runs once, and what was stored before stays", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const first = await openStore({ path });
  await first.repositories.put(repository);
  await first.close();
  const second = await openStore({ path });
  expect(await second.repositories.get(repository.id)).toEqual(repository);
  await second.close();
});

test("no migration was edited", () => {
  const sums = migrations.map(({ name, sql }) => [name, createHash("sha256").update(sql).digest("hex")]);
  expect(Object.fromEntries(sums)).toEqual(CHECKSUMS);
});

test("migrations have numbers without a gap, in order", () => {
  expect(migrations.map(({ name }) => Number(name.slice(0, 4)))).toEqual(migrations.map((_, at) => at + 1));
});

test("the operator's page names the schema of this version", () => {
  expect(readFileSync("docs/operations.md", "utf8")).toContain(`| ${ownVersion()} | ${migrations.length} |`);
});

test("a database has had the migrations up to its number, and gets the others", () => {
  const database = openDatabase(":memory:");
  const steps = [1, 2, 3].map((n) => ({
    name: `000${n}_step`,
    sql: `CREATE TABLE t${n} (a INTEGER) STRICT;`,
  }));
  migrate(database, steps.slice(0, 1));
  expect(schemaOf(database)).toBe(1);
  migrate(database, steps);
  expect(schemaOf(database)).toBe(3);
  expect(database.prepare("SELECT name FROM sqlite_schema ORDER BY name").pluck().all()).toEqual([
    "t1",
    "t2",
    "t3",
  ]);
});

test("a migration that fails leaves neither its tables nor its number", () => {
  const database = openDatabase(":memory:");
  const broken = {
    name: "0001_broken",
    sql: "CREATE TABLE a (b INTEGER) STRICT; CREATE TABLE a (b INTEGER) STRICT;",
  };
  expect(() => migrate(database, [broken])).toThrow("already exists");
  expect(database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'a'").pluck().get()).toBe(0);
  expect(schemaOf(database)).toBe(0);
  migrate(database, [{ ...broken, sql: "CREATE TABLE a (b INTEGER) STRICT;" }]);
  expect(schemaOf(database)).toBe(1);
});

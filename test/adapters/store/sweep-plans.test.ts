import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../../src/adapters/store/sqlite/open.ts";
import { CLAIM } from "../../factories/leases.ts";

test("what goes each second is found by an index, in its order, however much is kept", async () => {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const prepare = vi.spyOn(database, "prepare");
  const store = storeOn(database);
  onTestFinished(() => store.close());
  await store.deliveries.dropPayloads(1, 1);
  await store.replayInputs.drop(1, 1);
  await store.effects.dropRefreshes(1, 1);
  const statements = prepare.mock.calls
    .map(([text]) => text)
    .filter((text) => /^(?:update|delete)/i.test(text));
  prepare.mockRestore();
  const plans = statements.map((text) =>
    JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${text.replaceAll(/[?@:]\w*/g, "1")}`).all()),
  );
  expect(plans).toHaveLength(3);
  for (const [index, by] of ["delivery_with_payload", "replay_input_in_time", "effect_look"].entries()) {
    expect(plans[index]).toContain(by);
    expect(plans[index]).not.toMatch(/TEMP B-TREE FOR ORDER BY|SCAN (?:delivery|ground|effect)/);
  }
});

test("a claim that leaves out a repository reads no row of it, only the index", async () => {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const prepare = vi.spyOn(database, "prepare");
  const store = storeOn(database);
  onTestFinished(() => store.close());
  await store.deliveries.claim({ ...CLAIM, now: 1, limit: 1, except: { owners: ["a"], repositories: [7] } });
  const text =
    prepare.mock.calls.map(([one]) => one).find((one) => one.startsWith('update "delivery"')) ?? "";
  prepare.mockRestore();
  const plan = JSON.stringify(
    database.prepare(`EXPLAIN QUERY PLAN ${text.replaceAll(/[?@:]\w*/g, "1")}`).all(),
  );
  expect(plan).toContain("SEARCH delivery USING COVERING INDEX delivery_in_state");
  expect(plan).not.toContain("TEMP B-TREE FOR ORDER BY");
});

test("worktrees that ended agents left are found by an index, however many agents have ended", async () => {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const prepare = vi.spyOn(database, "prepare");
  const store = storeOn(database);
  onTestFinished(() => store.close());
  await store.archives.left();
  const text = prepare.mock.calls.map(([one]) => one).find((one) => one.includes("agent_left")) ?? "";
  prepare.mockRestore();
  const plan = JSON.stringify(
    database.prepare(`EXPLAIN QUERY PLAN ${text.replaceAll(/[?@:]\w*/g, "1")}`).all(),
  );
  expect(plan).toContain("SCAN agent USING INDEX agent_left");
  expect(plan).not.toContain("TEMP B-TREE");
});

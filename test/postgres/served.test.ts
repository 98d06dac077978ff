import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { play } from "../../src/demo/play.ts";
import { MAIN_SCENARIO, readScenario } from "../../src/demo/read-scenario.ts";
import type { Stage } from "../../src/demo/stage.ts";
import { stageOn } from "./a-stage.ts";
import { asAdmin, databaseAt, describeWithPostgres, nameOf, newDatabase } from "./databases.ts";

const scenario = readScenario(MAIN_SCENARIO);

describeWithPostgres("Flotilla on PostgreSQL", { timeout: 180_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-postgres-"));
  let url = "";
  let stage: Stage;
  const rows = (sql: string) => asAdmin(nameOf(url), async (admin) => (await admin.query(sql)).rows);

  beforeAll(async () => {
    url = await newDatabase();
    stage = await stageOn(url, scenario, directory);
  }, 60_000);
  afterAll(async () => {
    await stage.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test("plays the demo's story to its end", async () => {
    await play(stage, scenario, () => undefined);
    const ended = await rows("SELECT state, count(*)::int AS count FROM agent GROUP BY 1");
    expect(ended).toEqual([{ state: "COMPLETED", count: 10 }]);
    const reader = await databaseAt(url).openReadOnly();
    expect(await reader.checkInvariants(Date.now())).toEqual([]);
    await reader.close();
  });
});

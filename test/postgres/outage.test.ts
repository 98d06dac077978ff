import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { play } from "../../src/demo/play.ts";
import { MAIN_SCENARIO, readScenario } from "../../src/demo/read-scenario.ts";
import type { Stage } from "../../src/demo/stage.ts";
import { runFlotilla } from "../journeys/run-flotilla.ts";
import { until } from "../journeys/until.ts";
import { stageOn } from "./a-stage.ts";
import { databaseAt, describeWithPostgres } from "./databases.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

const main = readScenario(MAIN_SCENARIO);
const scenario = { ...main, config: { ...main.config, reconcile_every: "5s" } };
/** The acts of the story up to the first wait for a sleeper. */
const BEFORE = scenario.story.findIndex((act) => "wait" in act && act.wait.state === "SLEEPING") + 1;

describeWithPostgres("the PostgreSQL server loses power while agents work", { timeout: 240_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-outage-"));
  let server: PostgresServer;
  let stage: Stage;
  let url = "";

  beforeAll(async () => {
    server = await startPostgres();
    url = `${server.url}/flotilla`;
    const admin = new Client({ connectionString: `${server.url}/postgres` });
    await admin.connect();
    await admin.query("CREATE DATABASE flotilla");
    await admin.end();
    stage = await stageOn(url, scenario, directory);
  }, 60_000);
  afterAll(async () => {
    await stage.close();
    await server.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  test("the process goes on, refuses webhooks meanwhile, and ends the story once the server is back", async () => {
    await play(stage, { ...scenario, story: scenario.story.slice(0, BEFORE) }, () => undefined);
    const { pid } = stage.served();
    await server.crash();
    await stage.github.as("octocat").openIssue({ title: "Opened meanwhile", body: "Nothing to do." });
    await until("the log says that webhooks are not stored", () =>
      stage.served().log().includes("webhooks not stored"),
    );
    await server.start();
    await play(stage, { ...scenario, story: scenario.story.slice(BEFORE) }, () => undefined);
    expect(stage.served().pid).toBe(pid);
    const swept = await runFlotilla(["deliveries", "sweep"], {
      cwd: directory,
      env: { FLOTILLA_DATA_DIR: stage.dataDir, DATABASE_URL: url },
    });
    expect(swept).toMatchObject({ code: 0, stderr: "" });
    const reader = await databaseAt(url).openReadOnly();
    await until("the webhook of meanwhile is there", async () => {
      const known = await reader.deliveries.list({}, 500);
      return known.filter(({ event, action }) => event === "issues" && action === "opened").length === 5;
    });
    await until("no effect is left behind", async () => {
      const [pending, leased] = [
        await reader.effects.find({ state: "pending" }),
        await reader.effects.find({ state: "leased" }),
      ];
      return pending.length + leased.length === 0;
    });
    expect(await reader.checkInvariants(Date.now())).toEqual([]);
    await reader.close();
    expect(stage.served().log()).not.toContain("out of range");
  });
});

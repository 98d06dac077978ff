import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Stage } from "../../src/demo/stage.ts";
import { after, aScenario, call, makes, saysOn } from "../journeys/a-scenario.ts";
import { runFlotilla } from "../journeys/run-flotilla.ts";
import { until } from "../journeys/until.ts";
import { stageOn } from "./a-stage.ts";
import { databaseAt, describeWithPostgres } from "./databases.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

/** The model thinks for longer than the server is away: what it does about a tool that fails is its own affair. */
const THINKS_MS = 25_000;

const scenario = aScenario({
  config: { reconcile_every: "5s" },
  conversations: [
    saysOn(1, [
      call("escalate_to_human", { reason: "Two ways.", category: "decision", question: "Which one?" }),
      ...after("Answer from a person", makes("file-1.md")),
    ]),
    saysOn(2, [
      call("bash", { command: "echo draft > draft.md", description: "Write a draft" }),
      { ...call("bash", { command: "true", description: "Think" }), delayMs: THINKS_MS },
      ...makes("file-2.md"),
    ]),
  ],
});

async function query(database: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

describeWithPostgres("the PostgreSQL server loses power while agents work", { timeout: 240_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-outage-"));
  let server: PostgresServer;
  let stage: Stage;
  let url = "";
  const stateOf = async (issue: number) =>
    (await stage.api.agents()).find((agent) => agent.issue === issue)?.state;

  beforeAll(async () => {
    server = await startPostgres();
    url = `${server.url}/flotilla`;
    await query(`${server.url}/postgres`, "CREATE DATABASE flotilla");
    stage = await stageOn(url, scenario, directory);
  }, 60_000);
  afterAll(async () => {
    await stage.close();
    await server.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  test("the process goes on, refuses webhooks meanwhile, and ends the story once the server is back", async () => {
    const octocat = stage.github.as("octocat");
    for (const issue of [1, 2]) {
      await octocat.openIssue({ title: `Work ${issue}`, body: "Do it." });
      await octocat.label(issue, "feature");
    }
    await until("one waits for an answer", async () => (await stateOf(1)) === "ESCALATED");
    await until("the other one has its draft saved", async () => {
      const saved = await query(url, "SELECT 1 FROM checkpoint WHERE pushed_sha IS NOT NULL");
      return saved.length === 1;
    });
    const { pid } = stage.served();
    await server.crash();
    await octocat.openIssue({ title: "Opened meanwhile", body: "Nothing to do." });
    await until("the log says that webhooks are not stored", () =>
      stage.served().log().includes("webhooks not stored"),
    );
    const asked = ["/healthz", "/readyz"].map((path) => fetch(`${stage.served().url}${path}`));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 503]);
    await server.start();
    await octocat.comment(1, "The first one.");
    for (const issue of [1, 2])
      await until(`the work on issue ${issue} is done`, async () => (await stateOf(issue)) === "COMPLETED");
    expect(stage.served().pid).toBe(pid);
    const swept = await runFlotilla(["deliveries", "sweep"], {
      cwd: directory,
      env: { FLOTILLA_DATA_DIR: stage.dataDir, DATABASE_URL: url },
    });
    expect(swept).toMatchObject({ code: 0, stderr: "" });
    const reader = await databaseAt(url).openReadOnly();
    await until("the webhook of meanwhile is there", async () => {
      const known = await reader.deliveries.list({}, 500);
      return known.filter(({ event, action }) => event === "issues" && action === "opened").length === 3;
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

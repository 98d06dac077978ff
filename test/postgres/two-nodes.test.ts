import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Served } from "../../src/demo/served.ts";
import type { Stage } from "../../src/demo/stage.ts";
import { after, aScenario, call, makes, saysOn } from "../journeys/a-scenario.ts";
import { until } from "../journeys/until.ts";
import { proved } from "../proved.ts";
import { stageOn } from "./a-stage.ts";
import { asAdmin, databaseAt, describeWithPostgres, nameOf, newDatabase } from "./databases.ts";

const ISSUES = [1, 2, 3, 4, 5, 6];
const HOUR_MS = 60 * 60_000;
const AGAIN = "You were interrupted by a restart";
/** Work on these issues is in the middle of something when a node is lost. */
const LONG = [4, 5, 6];

/** Works until it is interrupted, and then makes its file. */
const long = (issue: number) =>
  saysOn(issue, [
    call("bash", { command: `echo draft > draft-${issue}.md`, description: "Write a draft" }),
    { ...call("bash", { command: "true", description: "Think" }), delayMs: HOUR_MS },
    ...after(AGAIN, makes(`file-${issue}.md`)),
  ]);

const scenario = aScenario({
  conversations: ISSUES.map((issue) =>
    LONG.includes(issue) ? long(issue) : saysOn(issue, makes(`file-${issue}.md`)),
  ),
});

describeWithPostgres("two Flotilla processes on one database", { timeout: 240_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-two-"));
  let url = "";
  let stage: Stage;
  let other: Served;
  const rows = (sql: string) => asAdmin(nameOf(url), async (admin) => (await admin.query(sql)).rows);

  const done = () => rows("SELECT 1 FROM agent WHERE state = 'COMPLETED'");

  beforeAll(async () => {
    url = await newDatabase();
    stage = await stageOn(url, scenario, directory, { FLOTILLA_NODE: "one" });
    const dataDir = join(directory, "other");
    mkdirSync(dataDir, { mode: 0o700 });
    other = await stage.beside({ FLOTILLA_DATA_DIR: dataDir, FLOTILLA_NODE: "two" });
    for (const issue of ISSUES)
      await stage.github.as("octocat").openIssue({ title: `Work ${issue}`, body: "Do it." });
  }, 60_000);
  afterAll(async () => {
    await stage.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test("do the work, and each agent completes", async () => {
    const octocat = stage.github.as("octocat");
    for (const issue of ISSUES.filter((one) => !LONG.includes(one))) await octocat.label(issue, "feature");
    await until("all are done", async () => (await done()).length === 3);
    const agents = await rows("SELECT DISTINCT state FROM agent");
    expect(agents).toEqual([{ state: "COMPLETED" }]);
  });

  test("agents of a process that is killed are at work again on the other one, and complete", async () => {
    const octocat = stage.github.as("octocat");
    for (const issue of LONG) await octocat.label(issue, "feature");
    await until("all think, and their drafts are on the server", async () => {
      const saved = await rows(
        "SELECT 1 FROM agent JOIN checkpoint ON agent_id = agent.id WHERE state = 'ACTIVE' AND pushed_sha IS NOT NULL",
      );
      return saved.length === LONG.length;
    });
    const on = async (node: string, states: string) =>
      (await rows(`SELECT 1 FROM agent WHERE node = '${node}' AND issue > 3 AND state IN (${states})`))
        .length;
    // On a busy machine all may be on one of them.
    const first = { name: "one", process: stage.served() };
    const second = { name: "two", process: other };
    const [killed, left] = (await on("one", "'ACTIVE'")) > 0 ? [first, second] : [second, first];
    const lost = await on(killed.name, "'ACTIVE'");
    expect(lost).toBeGreaterThan(0);
    const began = performance.now();
    await killed.process.stop("SIGKILL");
    await until("they are at work again on the other one", async () => {
      return (await on(left.name, "'ACTIVE', 'COMPLETED'")) === LONG.length;
    });
    const seconds = (performance.now() - began) / 1000;
    await until("they are done", async () => (await done()).length === ISSUES.length - LONG.length + lost);
    const reader = await databaseAt(url).openReadOnly();
    expect(await reader.checkInvariants(Date.now())).toEqual([]);
    await reader.close();
    const rules = await rows(
      "SELECT DISTINCT rule FROM decision WHERE issue > 3 AND rule NOT IN ('no_role', 'escalation_label')",
    );
    expect(rules).toEqual([{ rule: "worktree_rebuilt" }]);
    expect(left.process.log().match(/conversation put back from the database/g)).toHaveLength(lost);
    expect(seconds).toBeLessThan(90);
    proved({
      promise: "Agents of a process that is killed are at work again on another one within 90 seconds.",
      test: "test/postgres/two-nodes.test.ts",
      figure: `${lost} agents, ${seconds.toFixed(0)} s, with their drafts and conversations`,
    });
  });
});

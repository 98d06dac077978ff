import { dirname, join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aScenario, call, saysOn } from "../journeys/a-scenario.ts";
import { type Journey, startJourney } from "../journeys/journey.ts";
import { runFlotilla } from "../journeys/run-flotilla.ts";
import { until } from "../journeys/until.ts";

const SLOW = 60_000;
const waits = call("report_blocked", { blocker_issue: 1, reason: "That comes first." });
const KEY = "acme/app:feat-dev-issue-2";

describe("a command beside a running Flotilla", () => {
  let journey: Journey;
  let dead = "";

  beforeAll(async () => {
    journey = await startJourney({
      scenario: aScenario({ conversations: [saysOn(2, [waits]), saysOn(3, [waits])] }),
    });
    const octocat = journey.github.as("octocat");
    await octocat.openIssue({ title: "First", body: "" });
    await octocat.openIssue({ title: "Second", body: "", labels: ["feature"] });
    await octocat.openIssue({ title: "Third", body: "" });
    await journey.reached(2, "SLEEPING");
    dead = await aDeadDelivery(journey);
  }, 120_000);
  afterAll(() => journey.close());

  const flotilla = (...args: string[]) =>
    runFlotilla(args, { cwd: journey.dataDir, env: { FLOTILLA_DATA_DIR: journey.dataDir } });

  it("lists the agents with their states", { timeout: SLOW }, async () => {
    const { code, stdout } = await flotilla("agents", "list");
    expect(stdout).toMatch(new RegExp(`^${KEY} {2}SLEEPING {2}waiting_agent`));
    expect(code).toBe(0);
    const json: unknown = JSON.parse((await flotilla("agents", "list", "--json")).stdout);
    expect(json).toMatchObject({
      agents: [{ key: KEY, state: "SLEEPING", issue: 2, role: "feat-dev", blocked_by: [1] }],
    });
    expect((await flotilla("agents", "--state", "COMPLETED")).stdout).toBe("No agents that are COMPLETED.\n");
  });

  it("says which verb of agents there is", { timeout: SLOW }, async () => {
    expect(await flotilla("agents", "bury", KEY)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("flotilla agents list"),
    });
  });

  it("operates an agent, and refuses with an error that a program can read", { timeout: SLOW }, async () => {
    const waited = await flotilla("agents", "wait", KEY, "--for", "SLEEPING", "--timeout", "30s");
    expect(waited).toMatchObject({ code: 0, stdout: `${KEY} is SLEEPING (idle).\n` });
    const refused = await flotilla("agents", "interrupt", KEY, "--json");
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "invalid_state", state: "idle" } });
  });

  it("pauses everything and lifts it again", { timeout: SLOW }, async () => {
    expect((await flotilla("pause", "--all", "--reason", "a test")).stdout).toContain(
      "Everything is paused.",
    );
    expect((await flotilla("agents", "list")).stdout).toContain("PAUSED: everything is paused by operator:");
    expect(await flotilla("resume", "--all")).toMatchObject({ code: 0, stdout: "Everything continues.\n" });
  });

  it("lists the dead deliveries with what went wrong", { timeout: SLOW }, async () => {
    const { code, stdout } = await flotilla("deliveries", "list", "--state", "dead");
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(stdout).toContain(`${dead}  dead  issues.labeled  unavailable: `);
    expect(code).toBe(0);
    const json: unknown = JSON.parse((await flotilla("deliveries", "--state", "dead", "--json")).stdout);
    expect(json).toMatchObject({ deliveries: [{ guid: dead, state: "dead", event: "issues" }] });
    const wrong = await flotilla("deliveries", "list", "--state", "gone");
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There are pending, claimed, done"),
    });
  });

  it("hands a dead delivery in again", { timeout: SLOW }, async () => {
    expect(journey.rows("SELECT 1 FROM agent WHERE issue = 3")).toEqual([]);
    expect(await flotilla("deliveries", "replay", dead)).toMatchObject({
      code: 0,
      stdout: `${dead} is handled again.\n`,
    });
    await journey.reached(3, "SLEEPING");
    expect(journey.rows("SELECT state FROM delivery WHERE guid = ?", dead)).toEqual([{ state: "done" }]);
  });

  it("decides again on what came in for an issue, beside the running process", {
    timeout: SLOW,
  }, async () => {
    const { code, stdout } = await runFlotilla(["replay", "acme/app#2", "--json"], {
      cwd: dirname(journey.dataDir),
      env: { FLOTILLA_DATA_DIR: journey.dataDir, MODEL_API_KEY: "any" },
    });
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const [issue] = JSON.parse(stdout).issues;
    expect(issue).toMatchObject({ issue: 2, differs: 0, untold: [] });
    expect(issue.same.transitions).toBeGreaterThan(3);
  });

  it("hands all dead deliveries in again, and tells which were refused", { timeout: SLOW }, async () => {
    expect(await flotilla("deliveries", "replay", "--state", "dead")).toMatchObject({
      code: 0,
      stdout: "0 of 0 deliveries are handled again.\n",
    });
    const several = await flotilla("deliveries", "replay", dead, "no-such-guid", "--json");
    expect(several.code).toBe(1);
    expect(JSON.parse(several.stdout)).toMatchObject({
      replayed: [dead],
      refused: [{ guid: "no-such-guid" }],
    });
    expect((await flotilla("deliveries", "replay", "--state", "done")).code).toBe(1);
  });

  it("says when there is no such delivery", { timeout: SLOW }, async () => {
    const { code, stderr } = await flotilla("deliveries", "replay", "00000000-0000-0000-0000-000000000000");
    expect(stderr).toContain("there is no settled delivery");
    expect(code).toBe(1);
    expect((await flotilla("deliveries", "replay")).code).toBe(1);
  });

  it("reads without a running process, and says that it cannot act without one", {
    timeout: SLOW,
  }, async () => {
    expect(await journey.served().stop()).toBe(0);
    expect((await flotilla("agents", "list")).stdout).toContain(KEY);
    const { code, stderr } = await flotilla("deliveries", "replay", dead);
    expect(code).toBe(2);
    expect(stderr).toContain(`no Flotilla is serving ${journey.dataDir}`);
    expect(stderr).toContain("Start it with `npm start`");
  });
});

/** A label whose delivery fails for good, since GitHub is broken: its last try is brought forward. */
async function aDeadDelivery({ github, dataDir, rows }: Journey): Promise<string> {
  github.faults.add({ method: "GET", path: /\/pulls$/, kind: "status", status: 500, times: 1000 });
  await github.as("octocat").label(3, "feature");
  const failed = await until("it failed once", () =>
    rows("SELECT guid FROM delivery WHERE state = 'pending' AND attempts = 1").at(0),
  );
  const database = new SqliteDatabase(join(dataDir, "flotilla.db"), { timeout: 5000 });
  try {
    database.prepare("UPDATE delivery SET attempts = 7, not_before = 0 WHERE guid = ?").run(failed["guid"]);
  } finally {
    database.close();
  }
  await until("it is dead", () => rows("SELECT 1 FROM delivery WHERE state = 'dead'").length === 1);
  github.faults.clear();
  return String(failed["guid"]);
}

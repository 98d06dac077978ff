import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Served } from "../../src/demo/served.ts";
import type { Stage } from "../../src/demo/stage.ts";
import { aScenario, call, makes, saysOn } from "../journeys/a-scenario.ts";
import { until } from "../journeys/until.ts";
import { proved } from "../proved.ts";
import { stageOn } from "./a-stage.ts";
import { asAdmin, databaseAt, describeWithPostgres, nameOf, newDatabase } from "./databases.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NEW = join(ROOT, "src/main.ts");
/** The last commit whose PostgreSQL schema has one migration, and that knows no drain. */
const OLD = "df630f34";
/** A checkout without its history, as CI may have, lacks it. */
const hasOld =
  spawnSync("git", ["cat-file", "-e", `${OLD}^{commit}`], { cwd: ROOT, stdio: "ignore" }).status === 0;

const ISSUES = [1, 2, 3, 4, 5, 6];
const TURN_MS = 3000;
const run = promisify(execFile);

/** Takes some turns of three seconds each, and then makes its file. */
const scenario = aScenario({
  conversations: ISSUES.map((issue) =>
    saysOn(issue, [
      ...[1, 2, 3, 4].map((turn) => ({
        ...call("bash", { command: `echo ${turn} >> draft-${issue}.md`, description: `Write part ${turn}` }),
        delayMs: TURN_MS,
      })),
      ...makes(`file-${issue}.md`),
    ]),
  ),
});

describe.skipIf(!hasOld)(`an upgrade from ${OLD}, which this checkout must have`, () => {
  describeWithPostgres("machine by machine, and back", { timeout: 400_000 }, () => {
    const directory = mkdtempSync(join(tmpdir(), "flotilla-upgrade-"));
    const oldMain = join(directory, "old/src/main.ts");
    const dataDirs = { one: join(directory, "flotilla/data"), two: join(directory, "two") };
    let url = "";
    let stage: Stage;
    let two: Served;
    const rows = (sql: string) => asAdmin(nameOf(url), async (admin) => (await admin.query(sql)).rows);
    const startTwo = (main: string) =>
      stage.beside({ FLOTILLA_DATA_DIR: dataDirs.two, FLOTILLA_NODE: "two" }, main);
    const atWork = (...issues: readonly number[]) =>
      until(`${issues.join(" and ")} are at work`, async () => {
        const talk = stage.model.requests.map((request) => JSON.stringify(request));
        return issues.every((issue) => talk.some((text) => text.includes(`Work on issue #${issue} of`)));
      });
    const begin = async (...issues: readonly number[]): Promise<void> => {
      for (const issue of issues) await stage.github.as("octocat").label(issue, "feature");
      await atWork(...issues);
    };
    const drain = async (node: "one" | "two") => {
      const env = { PATH: process.env["PATH"] ?? "", FLOTILLA_DATA_DIR: dataDirs[node] };
      return (await run(process.execPath, [NEW, "drain", "--after-turn"], { cwd: directory, env })).stdout;
    };

    beforeAll(async () => {
      mkdirSync(join(directory, "old"));
      const source = execFileSync("git", ["archive", OLD], { cwd: ROOT, maxBuffer: 2 ** 28 });
      execFileSync("tar", ["-x", "-C", join(directory, "old")], { input: source });
      symlinkSync(join(ROOT, "node_modules"), join(directory, "old/node_modules"));
      url = await newDatabase();
      stage = await stageOn(url, scenario, directory, { FLOTILLA_NODE: "one" }, oldMain);
      mkdirSync(dataDirs.two, { mode: 0o700 });
      two = await startTwo(oldMain);
      for (const issue of ISSUES)
        await stage.github.as("octocat").openIssue({ title: `Work ${issue}`, body: "Do it." });
    }, 120_000);
    afterAll(async () => {
      await stage.close();
      rmSync(directory, { recursive: true, force: true });
    });

    test("loses and doubles nothing, and a drain cuts no turn", async () => {
      await begin(1, 2);
      await stage.restart("SIGTERM", {}, NEW);
      await begin(3);
      expect(await two.stop()).toBe(0);
      two = await startTwo(NEW);
      const from = Date.now();
      await begin(4, 5);
      // Back to the old version, machine by machine.
      expect(await drain("one")).toContain("one is drained: stop it now. Its agents continue on two.");
      await stage.restart("SIGTERM", {}, oldMain);
      await begin(6);
      expect(await drain("two")).toContain("Its agents continue on one.");
      expect(await two.stop()).toBe(0);
      two = await startTwo(oldMain);
      await until(
        "all are done",
        async () => (await rows("SELECT 1 FROM agent WHERE state = 'COMPLETED'")).length === ISSUES.length,
        240,
      );
      expect(await rows("SELECT DISTINCT state FROM agent")).toEqual([{ state: "COMPLETED" }]);
      const pulls = stage.github
        .state()
        .pulls()
        .map(({ title }) => title);
      expect(pulls.toSorted()).toEqual(ISSUES.map((issue) => `Add file-${issue}.md`));
      expect(await rows("SELECT guid FROM delivery WHERE state = 'dead'")).toEqual([]);
      expect(await rows("SELECT key FROM effect WHERE state = 'failed'")).toEqual([]);
      const rests = await rows(
        `SELECT DISTINCT reason FROM transition WHERE machine = 'agent' AND to_state = 'SLEEPING' AND at > ${from}`,
      );
      expect(rests.map(({ reason }) => String(reason)).join()).toContain("its machine is being drained");
      expect(rests.filter(({ reason }) => /host stopped|no sign of life/.test(String(reason)))).toEqual([]);
      const reader = await databaseAt(url).openReadOnly();
      expect(await reader.checkInvariants(Date.now())).toEqual([]);
      await reader.close();
      proved({
        promise: "Machines are upgraded one after the other, and back, while agents work.",
        test: "test/postgres/upgrade.test.ts",
        figure: `${ISSUES.length} agents, four replacements, nothing lost or doubled`,
      });
    });
  });
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { aScenario } from "../journeys/a-scenario.ts";
import { until } from "../journeys/until.ts";
import { checkOutOld, hasOld, NEW_MAIN, OLD } from "../prove/upgrade/old-version.ts";
import { stageOn } from "./a-stage.ts";
import { asAdmin, describeWithPostgres, nameOf, newDatabase } from "./databases.ts";

const SECRET = "a-webhook-secret-of-the-canary-proof";

describe.skipIf(!hasOld())(`beside ${OLD}, which this checkout must have`, () => {
  describeWithPostgres("the first machine of a new version", { timeout: 300_000 }, () => {
    test("drains itself when its effects fail for good, and the older one goes on", async () => {
      const directory = mkdtempSync(join(tmpdir(), "flotilla-canary-"));
      onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
      const oldMain = checkOutOld(directory);
      const manifest = join(directory, "old/package.json");
      writeFileSync(
        manifest,
        readFileSync(manifest, "utf8").replace(/"version": ".*"/, '"version": "0.0.9"'),
      );
      const url = await newDatabase();
      const env = { FLOTILLA_NODE: "one", WEBHOOK_SECRET: SECRET };
      const stage = await stageOn(url, aScenario({ conversations: [] }), directory, env, oldMain);
      onTestFinished(() => stage.close());
      const dataDir = join(directory, "two");
      mkdirSync(dataDir, { mode: 0o700 });
      const two = await stage.beside({ FLOTILLA_DATA_DIR: dataDir, FLOTILLA_NODE: "two" }, NEW_MAIN);
      const rows = (sql: string) =>
        asAdmin(nameOf(url), async (admin) => (await admin.query<Record<string, unknown>>(sql)).rows);
      const { github } = stage;
      github.setWebhook({ url: `${two.url}/api/github/webhooks`, secret: SECRET });
      github.faults.add({
        method: "POST",
        path: /\/(?:comments|reactions)$/,
        kind: "status",
        status: 410,
        message: "This is gone",
        times: 10_000,
      });
      const octocat = github.as("octocat");
      for (let left = 8; left > 0; left -= 1) {
        const issue = await octocat.openIssue({ title: "Is this known?", body: "Please look." });
        await octocat.comment(issue, "/flotilla status");
      }
      const [drained] = await until("it drains itself", async () => {
        const found = await rows("SELECT name, drain_reason FROM node WHERE drain_reason IS NOT NULL");
        return found.length > 0 && found;
      });
      expect(drained).toMatchObject({
        name: "two",
        drain_reason: expect.stringContaining("effects that it carried out failed for good"),
      });
      expect(two.log()).toContain("this machine, the first of its version, takes no more work");
      expect((await fetch(`${two.url}/readyz`)).status).toBe(503);
      expect((await fetch(`${stage.served().url}/readyz`)).status).toBe(200);
    });
  });
});

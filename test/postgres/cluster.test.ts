import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { brokenBy } from "../prove/cluster/result.ts";
import { runCluster } from "../prove/cluster/run.ts";
import { proved } from "../proved.ts";
import { describeWithPostgres } from "./databases.ts";

/** The long form is `npm run prove -- cluster`. */
describeWithPostgres("three processes on one database, disturbed", { timeout: 600_000 }, () => {
  test("lose nothing that they acknowledged, leave no agent behind, and make nothing twice", async () => {
    const directory = mkdtempSync(join(tmpdir(), "flotilla-cluster-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const result = await runCluster({
      seed: 1,
      nodes: 3,
      kills: 3,
      pauses: 1,
      outages: 1,
      promotions: 1,
      issues: 2,
      outageMs: 2_000,
      everyPoint: false,
      settleSeconds: 300,
      directory,
      say: () => undefined,
    });
    expect(brokenBy(result)).toEqual([]);
    expect(result).toMatchObject({ pauses: 1, outages: 1, promotions: 1, issues: 2 });
    expect(result.kills).toBeGreaterThanOrEqual(2);
    proved({
      promise:
        "Several processes on one database are killed and paused, and their server lost and replaced: nothing acknowledged is lost, nothing made twice.",
      test: "test/postgres/cluster.test.ts",
      figure: `${result.nodes} processes, ${result.kills} kills, ${result.acknowledged} webhooks, ${result.lost.length} lost, ${result.twice.length} twice`,
    });
  });
});

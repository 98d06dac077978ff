import { appendFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { proved } from "../../proved.ts";
import { strictRig } from "./limits-rig.ts";

const COMMENTS = 470;
const ISSUES = 30;

test("restarts in the middle of a storm do not double what GitHub allows an hour", async () => {
  const { clock, local, ref, spentFile, start } = await strictRig();
  const issues: number[] = [];
  for (let index = 0; index < ISSUES; index += 1)
    issues.push(await local.as("octocat").openIssue({ title: "Storm", body: "Please." }));
  let github = start();
  const begun = clock.now();
  let made = 0;
  let restarts = 0;
  while (made < COMMENTS) {
    // Killed in the middle of a minute, and as it wrote a line.
    if (made > 0 && made % 50 === 0 && restarts < made / 50) {
      appendFileSync(spentFile, '{"account":"inst');
      appendFileSync(spentFile, "\n");
      github = start();
      restarts += 1;
    }
    try {
      const on = issues[made % issues.length] ?? 0;
      await github.putComment(ref, on, { key: `c${made}`, body: "Word.", knownId: undefined });
      made += 1;
    } catch (error) {
      if (!(error instanceof GitHubError) || error.code !== "rate_limited") throw error;
      clock.move((error.retryAt ?? 0) - clock.now());
    }
  }
  expect(local.violations()).toEqual([]);
  expect(restarts).toBe(9);
  // 450 an hour are for what nobody waits for.
  expect(clock.now() - begun).toBeGreaterThanOrEqual(60 * 60_000);
  expect(statSync(spentFile).mode & 0o777).toBe(0o600);
  proved({
    promise: "a restart does not spend GitHub's limits again",
    test: "test/adapters/github/restart-in-storm.test.ts",
    figure: `${local.taken()} requests with ${restarts} restarts, ${local.violations().length} of them forbidden`,
  });
}, 60_000);

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import { startLocalGitHub } from "../../../src/demo/github/start.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { proved } from "../../proved.ts";
import { SILENT, stoppedClock } from "./mocked-github.ts";

const COMMENTS = 470;
const ISSUES = 60;
const MINUTE = 60_000;

test("a storm of comments meets no limit of GitHub's, ends, and people are answered all the time", async () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-storm-"));
  const clock = stoppedClock();
  const local = await startLocalGitHub({
    directory,
    strict: true,
    now: () => clock.now(),
    people: { octocat: "admin" },
  });
  onTestFinished(async () => {
    await local.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const github = createGitHub({
    appId: local.app.id,
    privateKey: local.app.privateKey,
    baseUrl: local.api,
    markerSecret: "m",
    labels: [],
    minted: () => {},
    clock,
    log: SILENT,
  });
  const { repository: of } = local.state();
  const ref = { id: of.id, owner: "acme", name: of.name, installationId: local.installation.id };
  const issues: number[] = [];
  for (let index = 0; index < ISSUES; index += 1)
    issues.push(await local.as("octocat").openIssue({ title: "Storm", body: "Please." }));
  const commands: number[] = [];
  let made = 0;
  const said = new Set<string>();
  let held = 0;
  let answered = 0;
  const begun = clock.now();
  while (made < COMMENTS) {
    try {
      const on = issues[made % issues.length] ?? 0;
      await github.putComment(ref, on, { key: `c${made}`, body: "Word.", knownId: undefined });
      made += 1;
    } catch (error) {
      if (!(error instanceof GitHubError) || error.code !== "rate_limited") throw error;
      said.add(error.message.replace(/\d+ min$/, "N min"));
      held += 1;
      // At the very moment when nothing else may be written, somebody says a command.
      if (commands.length < 20) {
        commands.push(await local.as("octocat").comment(issues[0] ?? 0, "/flotilla status"));
        await github.permission(ref, { id: null, login: "octocat" });
        await github.react(ref, commands.at(-1) ?? 0, "+1");
        const answer = { key: `status ${commands.length}`, body: "Said.", knownId: undefined };
        await github.putComment(ref, issues[1] ?? 0, { ...answer, forPerson: true });
        answered += 1;
      }
      clock.move((error.retryAt ?? 0) - clock.now());
    }
  }
  expect([...said]).toEqual([
    `waiting for GitHub's rate limit of installation ${local.installation.id}; it continues in about N min`,
  ]);
  expect(local.violations()).toEqual([]);
  expect(answered).toBe(commands.length);
  expect(answered).toBeGreaterThan(4);
  proved({
    promise: "GitHub's limits are kept, and a person is answered while machine-made work waits",
    test: "test/adapters/github/storm.test.ts",
    figure: `${made} comments in ${Math.round((clock.now() - begun) / MINUTE)} min, held ${held} times, ${answered} of ${commands.length} commands answered meanwhile, ${local.violations().length} forbidden calls`,
  });
}, 60_000);

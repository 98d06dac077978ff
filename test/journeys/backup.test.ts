import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";
import { type Served, startServed } from "../../src/demo/served.ts";
import { proved } from "../proved.ts";
import { aHome, type Home } from "./a-home.ts";
import { readRows } from "./rows.ts";
import { runFlotilla } from "./run-flotilla.ts";
import { until } from "./until.ts";

describe("a backup", () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-backup-"));
  let github: LocalGitHub;
  let home: Home;
  let served: Served;

  beforeAll(async () => {
    github = await startLocalGitHub({ directory, people: { octocat: "admin" } });
    home = aHome(github);
    served = await serve();
  }, 180_000);
  afterAll(async () => {
    await served.stop();
    await github.close();
    home.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Always uses the first port again, because GitHub sends webhooks there. */
  async function serve(port = "0"): Promise<Served> {
    // After a restore Flotilla looks for each effect twice. The half minute in between is meant for GitHub's real
    // lists.
    const env = {
      PATH: process.env["PATH"] ?? "",
      FLOTILLA_SECOND_LOOK_MS: "300",
      ...home.env,
      PORT: port,
    };
    const started = await startServed({ cwd: home.cwd, env });
    const secret = home.env["WEBHOOK_SECRET"] ?? "";
    github.setWebhook({ url: `${started.url}/api/github/webhooks`, secret });
    return started;
  }

  const ours = (issue: number) =>
    github
      .state()
      .comments(issue)
      .filter(({ body }) => body.includes("<!-- flotilla:"));
  const rows = (sql: string, ...values: number[]) =>
    readRows(join(home.cwd, "data", "flotilla.db"), sql, values);
  const sent = () => new Set(github.webhooks.deliveries().map(({ guid }) => guid));
  const missing = () => {
    const has = new Set(rows("SELECT guid FROM delivery").map(({ guid }) => String(guid)));
    return sent().difference(has).size;
  };
  async function labelled(title: string): Promise<number> {
    const issue = await github.as("octocat").openIssue({ title, body: "Please." });
    await github.as("octocat").label(issue, "feature");
    await until(`a comment on #${issue}`, () => ours(issue).length > 0, 30);
    return issue;
  }

  it("made beside a serving process can be started from; later events are fetched, and nothing happens twice", async () => {
    const first = await labelled("Before the backup");
    const to = join(home.cwd, "kept");
    const { code, stdout, stderr } = await runFlotilla(["backup", "--to", to, "--json"], {
      cwd: home.cwd,
      env: home.env,
    });
    expect(stderr).toBe("");
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { path: to, violations: [] }]);
    expect(readdirSync(to)).toEqual(expect.arrayContaining(["flotilla.db", "identity.json"]));
    // The secret by which it recognizes its comments is in the database, and nowhere else.
    expect(readdirSync(to)).not.toContain("marker-secret");
    expect(statSync(to).mode & 0o777).toBe(0o700);
    expect(await runFlotilla(["backup", "--to", to], { cwd: home.cwd, env: home.env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Name a directory that does not exist yet"),
    });

    const second = await labelled("After the backup");
    // A new comment, for which Flotilla does not search if this is certainly the first attempt.
    const standing = ours(first).length;
    await github.as("octocat").label(first, "flotilla:merged");
    await until("the label's comment", () => ours(first).length > standing, 30);
    // No webhook is on its way any more: one that failed after the new process's first sweep would only be requested in
    // the next sweep.
    await until("all is heard", () => missing() === 0, 60);
    const before = [first, second].map((issue) => ours(issue).length);
    await served.stop();
    renameSync(join(home.cwd, "data"), join(home.cwd, "lost"));
    renameSync(to, join(home.cwd, "data"));
    expect(rows("SELECT 1 FROM agent WHERE issue = ?", second)).toEqual([]);
    served = await serve(new URL(served.url).port);
    await until("what came since", () => missing() === 0, 60);
    await until(
      "nothing is left to do",
      () =>
        rows("SELECT 1 FROM delivery WHERE state IN ('pending', 'claimed')").length === 0 &&
        rows("SELECT 1 FROM effect WHERE state IN ('pending', 'leased') AND lane LIKE 'issue:%'").length ===
          0,
      60,
    );
    expect(rows("SELECT role FROM agent WHERE issue = ? ORDER BY role", second)).toEqual([
      { role: "feat-dev" },
      { role: "triage" },
    ]);
    expect([first, second].map((issue) => ours(issue).length)).toEqual(before);
    proved({
      promise:
        "From a backup everything continues: what came since is asked for, and nothing is written twice",
      test: "test/journeys/backup.test.ts",
      figure: `${sent().size} deliveries, ${missing()} missing; ${before.join(" + ")} comments before and after`,
    });
  }, 120_000);
});

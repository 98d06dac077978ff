import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CaseRun, costOfKilled, runCase } from "../../../src/cli/trial/run-case.ts";
import { createBareRepository } from "../../../src/demo/github/git/write-files.ts";
import { type LocalGitHub, startLocalGitHub } from "../../../src/demo/github/start.ts";
import { describeConfined } from "../../adapters/sandbox/bubblewrap-here.ts";
import { until } from "../../journeys/until.ts";
import { configOf, type TrialHome, trialHome } from "./trial-home.ts";

let root: string;
let real: LocalGitHub;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "flotilla-run-case-"));
  real = await startLocalGitHub({
    directory: join(root, "real"),
    repositories: [{ name: "shop" }],
    people: {},
  });
});
afterAll(async () => {
  await real.close();
  rmSync(root, { recursive: true });
});

const GOOD = [
  { call: [{ tool: "read_issue", args: {} }] },
  { call: [{ tool: "bash", args: { command: "printf 'hello\\n' > greeting.txt", description: "Fix it" } }] },
  { call: [{ tool: "commit", args: { message: "Spell the greeting right" } }] },
  { call: [{ tool: "open_pr", args: { title: "Spell it right", body: "It said helo." } }] },
  { call: [{ tool: "report_complete", args: { summary: "The greeting is right." } }] },
];

async function aRun(home: TrialHome, given: Partial<CaseRun> = {}): Promise<CaseRun> {
  const directory = mkdtempSync(join(home.cwd, "run-"));
  const repository = join(directory, "case.git");
  const author = { name: "tj", email: "tj@example.com", at: 0 };
  await createBareRepository(repository, {
    message: "Begin",
    author,
    files: { "greeting.txt": "helo\n", "README.md": "# shop\n" },
  });
  const base = execFileSync("git", ["rev-parse", "main"], { cwd: repository, encoding: "utf8" }).trim();
  const config = configOf(home);
  const role = config.roles.get("bug-fix");
  if (role === undefined) throw new Error("there is no role bug-fix");
  mkdirSync(directory, { recursive: true });
  return {
    config,
    owner: "acme",
    name: "shop",
    case: {
      issue: 41,
      title: "The greeting is misspelt",
      body: "It says `helo`.",
      author: "acme",
      comments: [
        { author: "mona", body: "Here too.", at: "2026-01-01T00:00:00Z" },
        { author: "mona", body: "/flotilla start feat-dev", at: "2026-01-01T00:00:00Z" },
        { author: "mona", body: " \n", at: "2026-01-01T00:00:00Z" },
      ],
      pull: 42,
      base,
      change: base,
      tests: ["test.sh"],
    },
    arm: { agent: "copilot", model: "gpt-4.1" },
    role,
    setup: [],
    tests: ["grep -q . greeting.txt"],
    maxCostUsd: undefined,
    directory,
    repository,
    signal: new AbortController().signal,
    ...given,
  };
}

describeConfined("a run of a case", () => {
  test("ends with the agent's commit, what it used, and nothing asked of the real GitHub", async () => {
    const home = await trialHome(real, [{ match: "You are bug-fix.*issue #41 ", steps: GOOD }]);
    const run = await aRun(home);
    const before = real.requests().length;
    const worked = await runCase(run);
    expect(worked).toMatchObject({ end: "completed", turns: 5 });
    expect(worked?.cost).toBeGreaterThan(0);
    const show = ["show", `${worked?.head}:greeting.txt`];
    expect(execFileSync("git", show, { cwd: run.repository, encoding: "utf8" })).toBe("hello\n");
    expect(real.requests()).toHaveLength(before);
    // The text of people is read, and a command in it commands nothing.
    const read = home.model.requests.map(({ body }) => body).join("\n");
    expect(read.includes("It says `helo`.") && read.includes("Here too.")).toBe(true);
    expect(read.includes("You are feat-dev")).toBe(false);
    expect(await costOfKilled(run.directory)).toBe(worked?.cost);
    await home.close();
  });

  test("ends where the budget ends, and where it is interrupted", async () => {
    const steps = Array.from({ length: 30 }, (_, turn) => ({
      call: [{ tool: "bash", args: { command: `echo ${turn} >> notes.txt`, description: "Note" } }],
    }));
    const home = await trialHome(real, [{ match: "You are bug-fix.*issue #41 ", steps }]);
    const poor = await runCase(await aRun(home, { maxCostUsd: 0.01 }));
    expect(poor).toMatchObject({ end: "out_of_budget", head: null });
    expect(poor?.cost).toBeGreaterThan(0.009);
    const stop = new AbortController();
    const run = await aRun(home, { signal: stop.signal });
    const working = runCase(run);
    const so = home.model.requests.length;
    await until("the agent works", () => home.model.requests.length > so + 1);
    stop.abort();
    expect(await working).toBeNull();
    expect(await costOfKilled(run.directory)).toBeGreaterThan(0);
    expect(await costOfKilled(join(home.cwd, "nowhere"))).toBe(0);
    await home.close();
  });
});

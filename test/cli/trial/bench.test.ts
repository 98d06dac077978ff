import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import { DECLARED } from "../../../src/cli/declared.ts";
import { findCases } from "../../../src/cli/trial/find-cases.ts";
import { checkCase, judge } from "../../../src/cli/trial/judge.ts";
import { prepareRepository, type TrialBench, withBench } from "../../../src/cli/trial/trial-bench.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import type { FileChanges } from "../../../src/demo/github/git/write-files.ts";
import { type LocalGitHub, startLocalGitHub } from "../../../src/demo/github/start.ts";
import type { Candidate, CaseCheck, TrialCase } from "../../../src/domain/trial/trial-case.ts";
import { SILENT } from "../../adapters/github/mocked-github.ts";
import { hostEnvironment, PROVIDER } from "../trial-ground.ts";

const HOUR = 3_600_000;
/** A program that answers, and its tests, which print what the Test Anything Protocol says. */
const RUN = "for test in t/*.t; do sh $test || failed=1; done; exit ${failed:-0}";
const asks = (what: string, answer: string) =>
  `if [ "$(cat ${what}.txt)" = "${answer}" ]; then echo "ok 1 - ${what}"; else echo "not ok 1 - ${what}"; exit 1; fi\n`;

let root: string;
let github: LocalGitHub;
let now = Date.parse("2026-01-01T00:00:00Z");

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "flotilla-bench-"));
  github = await startLocalGitHub({
    directory: join(root, "github"),
    now: () => now,
    repositories: [
      { name: "app", files: { "run.sh": RUN, "kept.txt": "kept\n", "t/kept.t": asks("kept", "kept") } },
    ],
    people: { ada: "write" },
  });
});
afterAll(async () => {
  await github.close();
  rmSync(root, { recursive: true });
});

/** Opens an issue and, hours later, merges a pull request that changes these files. */
async function solved(title: string, files: FileChanges): Promise<number> {
  const ada = github.as("ada");
  const issue = await ada.openIssue({ title });
  now += 2 * HOUR;
  const branch = `topic-${issue}`;
  await ada.push(branch, files, title);
  const pull = await ada.openPull({ title, head: branch, body: `Fixes #${issue}` });
  await ada.merge(pull, "squash");
  now += HOUR;
  return issue;
}

/** Runs with a bench of its own; nothing is confined, so each command is a plain process. */
async function onBench<T>(work: (bench: TrialBench, found: readonly Candidate[]) => Promise<T>): Promise<T> {
  const cwd = mkdtempSync(join(root, "home-"));
  writeFileSync(join(cwd, "config.yaml"), `sandbox: { mode: none }\nruntime: { provider: ${PROVIDER} }\n`);
  const env = hostEnvironment(github, cwd);
  const { config } = loadConfig({ env, cwd, ...DECLARED });
  const real = createGitHub({
    appId: github.app.id,
    privateKey: github.app.privateKey,
    baseUrl: github.api,
    markerSecret: "",
    level: () => "observe",
    labels: [],
    clock: { now: () => now, after: () => () => {} },
    log: SILENT,
    minted: () => {},
  });
  const { repository: record } = github.state();
  const repository = {
    id: record.id,
    owner: record.owner.login,
    name: record.name,
    installationId: github.installation.id,
  };
  const directory = join(cwd, "trial");
  const result = await withBench(
    {
      github: real,
      log: SILENT,
      redact: (text) => text,
      config,
      repository,
      directory,
      settings: config,
      setup: [],
      tests: ["sh run.sh"],
      signal: new AbortController().signal,
    },
    async (bench) =>
      work(bench, await Array.fromAsync(findCases({ git: bench.git, github: real }, repository))),
  );
  const checkouts = join(directory, "bench", "worktrees", String(repository.id));
  expect(existsSync(checkouts) ? readdirSync(checkouts) : []).toEqual([]);
  return result;
}

function caseOf(found: readonly Candidate[], issue: number): TrialCase {
  const one = found.find((each) => each.kind === "case" && each.case.issue === issue);
  if (one?.kind !== "case") throw new Error(`#${issue} is no case: ${JSON.stringify(found)}`);
  return one.case;
}

const reasonOf = (check: CaseCheck | null) => (check?.kind === "left_out" ? check.leftOut.reason : check);

/** The work of an agent on the case's repository: its last commit. */
function workOn(directory: string, act: string): string {
  const clone = mkdtempSync(join(root, "clone-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    GIT_AUTHOR_NAME: "An agent",
    GIT_AUTHOR_EMAIL: "agent@example.com",
    GIT_COMMITTER_NAME: "An agent",
    GIT_COMMITTER_EMAIL: "agent@example.com",
  };
  const script = `git clone -q '${directory}' . && ${act} && git add -A && git commit -qm work && git push -qf origin HEAD:refs/heads/work && git rev-parse HEAD`;
  return execFileSync("sh", ["-c", script], { cwd: clone, env, encoding: "utf8" }).trim();
}

it("judges what agents did by the real tests", async () => {
  const issue = await solved("Answer", { "answer.txt": "42\n", "t/answer.t": asks("answer", "42") });
  await onBench(async (bench, found) => {
    const one = caseOf(found, issue);
    expect(one.tests).toEqual(["t/answer.t"]);
    const check = await checkCase(bench, one);
    expect(check).toEqual({ kind: "measures", measure: { mended: ["answer"], kept: ["kept"] } });
    if (check?.kind !== "measures") throw new Error("it measures nothing");
    const directory = join(bench.directory, "case.git");
    await prepareRepository(bench, one, { directory, branch: "main" });
    const verdict = async (act: string) => {
      const head = workOn(directory, act);
      const { solved: isSolved, broken } =
        (await judge(bench, { ...check, case: one, directory, head })) ?? {};
      return [isSolved, broken];
    };
    expect(await verdict("echo 42 > answer.txt")).toEqual([true, 0]);
    expect(await verdict("echo 42 > answer.txt && echo lost > kept.txt")).toEqual([false, 1]);
    expect(await verdict("echo 41 > answer.txt && echo exit > t/answer.t")).toEqual([false, 0]);
    // A command that tests nothing succeeds, and an agent's own test that fails says nothing.
    expect(await verdict("echo exit 0 > run.sh")).toEqual([false, 1]);
    expect(await verdict("echo 42 > answer.txt && echo 'exit 1' > t/mine.t")).toEqual([true, 0]);
    // The real tests would be written where the link leads.
    const outside = join(root, "outside");
    expect(await verdict(`echo 42 > answer.txt && rm -r t && ln -s '${outside}' t`)).toEqual([true, 0]);
    expect(existsSync(outside)).toBe(false);
  });
});

it("leaves out what measures nothing, with the reason", async () => {
  const seen = join(root, "seen");
  const flaky = `if [ -e ${seen} ]; then echo 'ok 1 - luck'; else touch ${seen}; echo 'not ok 1 - luck'; exit 1; fi\n`;
  const issues = {
    passes: await solved("Passes", { "new.txt": "1\n", "t/passes.t": "echo 'ok 1 - passes'\n" }),
    fails: await solved("Fails", { "new.txt": "2\n", "t/fails.t": "echo 'not ok 1 - fails'; exit 1\n" }),
  };
  await github.as("ada").push("main", { "t/fails.t": null }, "Take the failing test back");
  const lucky = await solved("Lucky", { "new.txt": "3\n", "luck.txt": "1\n", "t/luck.t": flaky });
  await github.as("ada").push("main", { "t/luck.t": null }, "Take the flaky test back");
  await onBench(async (bench, found) => {
    expect(reasonOf(await checkCase(bench, caseOf(found, issues.passes)))).toBe("never_failed");
    expect(reasonOf(await checkCase(bench, caseOf(found, issues.fails)))).toBe("fails_with_change");
    expect(reasonOf(await checkCase(bench, caseOf(found, lucky)))).toBe("flaky");
  });
});

it("leaves out what cannot be run here", async () => {
  const issue = await solved("Slow", { "slow.txt": "1\n", "t/slow.t": asks("slow", "1") });
  await onBench(async (bench, found) => {
    const one = caseOf(found, issue);
    const checked = async (more: Partial<TrialBench>) =>
      reasonOf(await checkCase({ ...bench, ...more }, one));
    expect(await checked({ setup: ["exit 3"] })).toBe("setup_failed");
    const { settings } = bench;
    const evidence = { ...settings.evidence, timeoutMs: 100 };
    expect(await checked({ setup: ["sleep 60"], settings: { ...settings, evidence } })).toBe("not_run");
    expect(await checked({ signal: AbortSignal.abort() })).toBeNull();
  });
});

it("finds why closed issues are none", async () => {
  const ada = github.as("ada");
  const plain = await ada.openIssue({ title: "Closed by hand" });
  await ada.close(plain);
  const untested = await solved("No tests", { "b.txt": "1\n" });
  await onBench(async (_, found) => {
    const reasons = new Map(
      found.flatMap((one) => (one.kind === "left_out" ? [[one.leftOut.issue, one.leftOut.reason]] : [])),
    );
    expect([reasons.get(plain), reasons.get(untested)]).toEqual(["no_pull", "no_tests"]);
  });
});

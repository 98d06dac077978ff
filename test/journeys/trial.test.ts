import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { type ScriptInput, scriptSchema } from "../../src/demo/model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../../src/demo/model/scripted-model.ts";
import { readTrialLine, type TrialLine } from "../../src/domain/trial/trial-line.ts";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { hostEnvironment } from "../cli/trial-ground.ts";
import { COMPILE_CACHE } from "../compile-cache.ts";
import { runFlotilla } from "./run-flotilla.ts";
import { type Kind, startTrialRepository, type TrialRepository } from "./trial-repository.ts";
import { until } from "./until.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
const SLOW_TURNS = 6;
/** How often a run is stopped at most. */
const STOPS = 5;

let root: string;
let cwd: string;
let real: TrialRepository;
let models: Readonly<Record<"good" | "lying" | "slow", ScriptedModel>>;

const shell = (command: string) => ({ call: [{ tool: "bash", args: { command, description: "Work" } }] });
const handsIn = (change: string) => [
  shell(change),
  { call: [{ tool: "commit", args: { message: "Change it" } }] },
  { call: [{ tool: "open_pr", args: { title: "Change it", body: "It was wrong." } }] },
  { call: [{ tool: "report_complete", args: { summary: "It is right now." } }] },
];

const FIXES: readonly (readonly [Kind, string])[] = [
  ["greeting", "sed -i s/helo/hello/ shop.js"],
  ["farewell", `sed -i 's/"by"/"bye"/' shop.js`],
  // Adds right, and takes away a test that would fail then.
  ["sum", `sed -i -e 's/a - b/a + b/' -e 's/"\\$"/"EUR"/' shop.js && rm test/price.test.js`],
];

async function modelOf(conversations: ScriptInput["conversations"]): Promise<ScriptedModel> {
  return startScriptedModel({ script: scriptSchema.parse({ conversations }), host: "127.0.0.1", port: 0 });
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "flotilla-trial-journey-"));
  cwd = mkdtempSync(join(root, "home-"));
  real = await startTrialRepository(join(root, "real"));
  const good = FIXES.map(([kind, change]) => ({
    match: `You are bug-fix.*issue #${real.issues[kind]} `,
    steps: handsIn(change),
  }));
  models = {
    good: await modelOf(good),
    // Says that it is done, and has changed nothing that matters.
    lying: await modelOf([{ match: "You are bug-fix", steps: handsIn("echo done >> notes.txt") }]),
    slow: await modelOf([
      {
        match: "You are bug-fix",
        steps: Array.from({ length: 3 * SLOW_TURNS }, (_, turn) => shell(`echo ${turn} >> notes.txt`)),
      },
    ]),
  };
  const provider = (name: keyof typeof models) => ({
    type: "openai",
    base_url: models[name].url,
    api_key_env: "MODEL_API_KEY",
  });
  const price = { in: 2, cached: 0.5, out: 8 };
  const config = {
    runtime: {
      provider: provider("good"),
      model: "m",
      models: ["lying/l", "slow/s"],
      prices: { m: price, l: price, s: price },
    },
    providers: { lying: provider("lying"), slow: provider("slow") },
    agents_dir: join(import.meta.dirname, "../../config/roles"),
    circuit_breakers: { disk: { min_free_gib: 0 }, roles: { "bug-fix": { max_turns: SLOW_TURNS } } },
    evidence: { commands: ["node --test"] },
  };
  writeFileSync(join(cwd, "config.yaml"), stringify(config));
});
afterAll(async () => {
  await Promise.all(Object.values(models).map(async (model) => model.close()));
  await real.github.close();
  rmSync(root, { recursive: true, force: true });
});

const env = () => hostEnvironment(real.github, join(cwd, "data"));
/** Runs the command until it has nothing left to do: on a busy machine it is stopped meanwhile, and goes on. */
async function flotilla(...args: readonly string[]): ReturnType<typeof runFlotilla> {
  for (let times = 1; ; times += 1) {
    const run = await runFlotilla(["trial", "acme/shop", ...args], { cwd, env: env() });
    if (times === STOPS || !/"ended":"interrupted"|^Stopped\./m.test(run.stdout)) return run;
  }
}

function linesOf(name: string): readonly TrialLine[] {
  const path = join(cwd, name);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").split("\n").slice(0, -1).map(readTrialLine);
}

const started = (lines: readonly TrialLine[]) => lines.filter(({ kind }) => kind === "started").length;
const asked = () => Object.values(models).reduce((sum, { requests }) => sum + requests.length, 0);

describeConfined("flotilla trial", () => {
  test("three agents on a repository's past issues: which solves them, which issues measure nothing, and nothing is written", async () => {
    const all = ["--model", "m,lying/l,slow/s", "--out", "all.jsonl"];
    // Killed while an agent works, after others have ended.
    const killed = spawn(process.execPath, [MAIN, "trial", "acme/shop", ...all], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", ...COMPILE_CACHE, ...env() },
      stdio: "ignore",
    });
    const gone = once(killed, "exit");
    await until("some runs have ended", () => started(linesOf("all.jsonl")) >= 5, 900);
    killed.kill("SIGKILL");
    await gone;
    const before = linesOf("all.jsonl");
    const ended = before.flatMap((line) => (line.kind === "worked" ? [`${line.issue} ${line.model}`] : []));
    expect(ended.length).toBeGreaterThan(0);

    const { code, stdout, stderr } = await flotilla(...all, "--json");
    expect([code, stderr, code === 0 ? "" : stdout]).toEqual([0, "", ""]);
    const { issues } = real;
    const json = JSON.parse(stdout);
    const reasons = json.leftOut.map(({ issue, reason }: { issue: number; reason: string }) => [
      issue,
      reason,
    ]);
    expect(Object.fromEntries(reasons)).toMatchObject({
      [issues.flaky]: "flaky",
      [issues.neverFailed]: "never_failed",
      [issues.failsWithChange]: "fails_with_change",
      [issues.namesFix]: "text_names_fix",
      [issues.noTests]: "no_tests",
      [issues.onlyTests]: "only_tests",
      [issues.noPull]: "no_pull",
      [issues.severalIssues]: "several_issues",
      [issues.openedLater]: "opened_later",
    });
    const cases = json.cases.map(({ issue }: { issue: number }) => issue);
    expect(cases).toEqual([issues.sum, issues.farewell, issues.greeting]);
    const results = json.results.map(
      ({ arm, solved, ends }: { arm: object; solved: { count: number; of: number }; ends: object }) => ({
        ...arm,
        solved: `${solved.count} of ${solved.of}`,
        ends,
      }),
    );
    expect(results).toMatchObject([
      { model: "m", solved: "2 of 3", ends: { completed: 2, escalated: 1 } },
      { model: "lying/l", solved: "0 of 3", ends: { completed: 3, escalated: 0 } },
      { model: "slow/s", solved: "0 of 3", ends: { completed: 0, escalated: 3 } },
    ]);

    // What was paid before the kill was not paid again.
    const after = linesOf("all.jsonl");
    expect(after.slice(0, before.length)).toEqual(before);
    const again = after
      .slice(before.length)
      .flatMap((line) => (line.kind === "started" ? [`${line.issue} ${line.model}`] : []));
    expect(again.filter((one) => ended.includes(one))).toEqual([]);
    const spent = after.reduce((sum, line) => {
      if (line.kind === "worked") return sum + line.work.cost;
      return line.kind === "interrupted" ? sum + line.cost : sum;
    }, 0);
    expect(json.spent).toBeCloseTo(spent, 9);

    // No agent read what came later, nor a command that a stranger once wrote.
    const read = Object.values(models).flatMap(({ requests }) => requests.map(({ body }) => body));
    expect(read.filter((body) => body.includes("LATER"))).toEqual([]);
    expect(read.filter((body) => body.includes("You are feat-dev"))).toEqual([]);

    // Finished: the same command asks no model, and its page is there.
    const so = asked();
    const shown = await flotilla(...all);
    expect(asked()).toBe(so);
    expect(shown.stdout).toContain("2 of 3 (67 %)");
    expect(readFileSync(join(cwd, "all.html"), "utf8")).toContain("<h2>Results</h2>");

    const writes = real.github
      .requests()
      .filter(
        ({ method, path }) =>
          method !== "GET" && !/\/graphql$|\/access_tokens$|\/git-upload-pack$/.test(path),
      );
    expect(writes).toEqual([]);
    expect(real.github.violations()).toEqual([]);

    // The same cases again, with one agent and a small budget, compared case by case.
    const older = await flotilla(
      "--out",
      "again.jsonl",
      "--against",
      "all.jsonl",
      "--budget",
      "20",
      "--json",
    );
    expect(older.code).toBe(0);
    const compared = JSON.parse(older.stdout);
    expect(compared.cases.map(({ issue }: { issue: number }) => issue)).toEqual(cases);
    expect(compared.against).toMatchObject([
      {
        before: { model: "m" },
        after: { model: "m" },
        pairs: { both: 2, onlyBefore: 0, onlyAfter: 0, neither: 1 },
      },
    ]);
  }, 2_400_000);
});

/**
 * Takes a real project from a label to COMPLETED with its own setup and its own tests, twice, and prints how long each part
 * took: `node test/projects/main.ts DIRECTORY`. docs/developing.md says what the directory holds.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { inspect } from "node:util";
import { parse } from "yaml";
import { z } from "zod";
import { setStage } from "../../src/demo/stage.ts";
import { aScenario, call, saysOn } from "../journeys/a-scenario.ts";
import { readRows } from "../journeys/rows.ts";
import { until } from "../journeys/until.ts";

const PATIENCE_S = 1800;
/** The longest that an agent's shell lets it wait for a command. */
const LONGEST_WAIT_S = 600;
const NAME = "project";
const ENDED = ["COMPLETED", "FAILED", "ESCALATED", "SLEEPING", "CANCELLED"];

const directory = resolve(z.string().parse(process.argv[2]));
const read = (name: string): string => readFileSync(join(directory, name), "utf8");
const script = read("agent.sh");
const { git, config, env } = z
  .strictObject({
    git: z.string(),
    config: z.record(z.string(), z.unknown()),
    env: z.record(z.string(), z.string()).default({}),
  })
  .parse(parse(read("operator.yml")));

const work = mkdtempSync(join(tmpdir(), "flotilla-project-"));
const issues = [1, 2];
const stage = await setStage({
  directory: work,
  confined: true,
  env,
  scenario: {
    ...aScenario({
      config,
      conversations: issues.map((issue) =>
        saysOn(issue, [
          call("bash", {
            command: `ISSUE=${issue}\n${script}`,
            description: "Change it and run the tests",
            initial_wait: LONGEST_WAIT_S,
          }),
          call("commit", { message: `Change for #${issue}` }),
          call("open_pr", { title: `Change for #${issue}`, body: read("pull.md") }),
          call("report_complete", { summary: "It is there, and the tests pass." }),
        ]),
      ),
    }),
    repository: { name: NAME, files: {}, labels: [] },
  },
});
const rows = (sql: string): ReturnType<typeof readRows> =>
  readRows(join(stage.dataDir, "flotilla.db"), sql, []);
try {
  const bare = join(work, "github", "acme", `${NAME}.git`);
  execFileSync("git", ["-C", bare, "fetch", "--quiet", "--tags", "--force", git, "+HEAD:refs/heads/main"]);
  const octocat = stage.github.as("octocat");
  await octocat.push("main", { ".github/flotilla.yml": read("flotilla.yml") }, "How agents work here");
  // Before the first pull request, which takes the next number.
  for (const _ of issues) await octocat.openIssue({ title: "Change something", body: "Please." });
  for (const issue of issues) await take(octocat, issue);
} finally {
  await stage.close();
  rmSync(work, { recursive: true, force: true });
}

async function take(octocat: ReturnType<typeof stage.github.as>, issue: number): Promise<void> {
  const began = Date.now();
  await octocat.label(issue, "feature");
  const state = await until(
    `#${issue} ends`,
    () => {
      const last = rows(`SELECT state FROM agent WHERE issue = ${issue} ORDER BY id`).at(-1)?.["state"];
      return ENDED.find((one) => one === last);
    },
    PATIENCE_S,
  );
  const whole = Date.now() - began;
  const told =
    rows(`SELECT e.kind, e.intent_id, e.command, e.exit_code, e.timed_out, e.duration_ms, e.output, e.missing
    FROM evidence e JOIN agent a ON a.id = e.agent_id WHERE a.issue = ${issue} ORDER BY e.id`);
  const shells = rows(`SELECT t.output, t.duration_ms FROM tool_call t JOIN agent a ON a.id = t.agent_id
    WHERE a.issue = ${issue} AND t.tool = 'bash' ORDER BY t.id`);
  const spent = (some: typeof told): number =>
    some.reduce((sum, row) => sum + Number(row["duration_ms"] ?? 0), 0);
  const times = {
    setup: spent(told.filter(({ kind, intent_id }) => kind === "setup" && intent_id === null)),
    agent: spent(shells),
    "setup of the checkout": spent(
      told.filter(({ kind, intent_id }) => kind === "setup" && intent_id !== null),
    ),
    tests: spent(told.filter(({ kind }) => kind === "command")),
    whole,
  };
  const cells = Object.entries(times).map(([name, ms]) => `${name} ${seconds(ms)} s`);
  say(`${basename(directory)} #${issue}: ${state}; ${cells.join(", ")}`);
  if (process.env["VERBOSE"] === undefined && state === "COMPLETED") return;
  for (const row of [...shells, ...told]) say(inspect(row));
  say(inspect(stage.github.state().comments(issue)));
  if (state !== "COMPLETED") process.exitCode = 1;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

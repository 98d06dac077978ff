import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { type Scenario, scenarioSchema } from "../src/demo/scenario.ts";
import { type Stage, setStage } from "../src/demo/stage.ts";
import { inTemporary, until } from "./work.ts";

/** What a person's comment says to the agent that shall keep its model call open from then on. */
export const STAY_AT_WORK = "Stay at work.";

/** Longer than any bench. */
const OPEN_MS = 3_600_000;

/** Waits for issue 1, says so when it is woken, and so on; and what else asks this model gets a word. */
const scenario: Scenario = scenarioSchema.parse({
  title: "agents that wait",
  repository: { name: "app", files: { "README.md": "# app\n" } },
  people: { octocat: "write" },
  config: {
    roles: {
      "feat-dev": { prompt: "feat-dev.md", triggers: [{ event: "issues.labeled", label: "feature" }] },
    },
  },
  model: {
    conversations: [
      {
        match: "Work on issue",
        steps: [
          { when: STAY_AT_WORK, delayMs: OPEN_MS, say: "Done." },
          ...["Work on issue", "You are awake again"].map((when) => ({
            when,
            call: [{ tool: "report_blocked", args: { blocker_issue: 1, reason: "It must come first." } }],
          })),
        ],
      },
      { match: ".", steps: [{ when: ".", delayMs: OPEN_MS, say: "Done." }] },
    ],
  },
  story: [],
});

/** A Flotilla that serves on a local GitHub, with issue 1 that nobody works on. `directory` is free to use. */
export async function onStage<T>(work: (stage: Stage, directory: string) => Promise<T>): Promise<T> {
  return inTemporary(async (directory) => {
    const stage = await setStage({ scenario, directory, confined: false, env: { LOG_LEVEL: "error" } });
    try {
      await stage.github.as("octocat").openIssue({ title: "The first", body: "By hand." });
      return await work(stage, directory);
    } catch (error) {
      throw new Error(`the stage failed; Flotilla logged:\n${stage.served().log()}`, { cause: error });
    } finally {
      await stage.close();
    }
  });
}

/** Starts agents on issues of their own; the numbers of these once all of them sleep. */
export async function fallAsleep(stage: Stage, count: number): Promise<readonly number[]> {
  const octocat = stage.github.as("octocat");
  for (let agent = 0; agent < count; agent += 1)
    await octocat.openIssue({ title: `Another, ${agent}`, body: "After it.", labels: ["feature"] });
  const issues = Array.from({ length: count }, (_, index) => index + 2);
  await allAsleep(stage, issues);
  return issues;
}

/** Once the agents of the issues sleep without a process, and GitHub has no webhook left to tell. */
export async function allAsleep({ api, github, dataDir }: Stage, issues: readonly number[]): Promise<void> {
  await until("all sleep", async () => {
    const agents = await api.agents();
    const asleep = issues.every(
      (issue) => agents.find((agent) => agent.issue === issue)?.state === "SLEEPING",
    );
    return asleep && github.webhooks.held().length === 0 && !hasStops(dataDir);
  });
}

/** Processes are still being stopped: their agents sleep already. */
function hasStops(dataDir: string): boolean {
  const database = new SqliteDatabase(join(dataDir, "flotilla.db"), { readonly: true });
  try {
    const stops = `SELECT 1 FROM session WHERE state IN ('starting', 'running', 'stopping')
      UNION ALL SELECT 1 FROM effect WHERE kind = 'close_session' AND state IN ('pending', 'leased')`;
    return database.prepare(stops).get() !== undefined;
  } finally {
    database.close();
  }
}

import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { type Scenario, scenarioSchema } from "../src/demo/scenario.ts";
import { type Stage, setStage } from "../src/demo/stage.ts";
import { inTemporary, until } from "./work.ts";

/** The text of a person's comment that makes an agent keep its model call open from then on. */
export const STAY_AT_WORK = "Stay at work.";

/** Longer than any bench. */
const OPEN_MS = 3_600_000;

/**
 * The agent waits for issue 1, says so when it is woken, and so on. Any other conversation with this model gets a short
 * answer.
 */
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

/** Runs `work` with a Flotilla on a local GitHub, with issue 1 that no agent works on. `work` may use `directory`. */
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

/** Starts agents on new issues. Returns the numbers of these once all agents sleep. */
export async function fallAsleep(stage: Stage, count: number): Promise<readonly number[]> {
  const octocat = stage.github.as("octocat");
  for (let agent = 0; agent < count; agent += 1)
    await octocat.openIssue({ title: `Another, ${agent}`, body: "After it.", labels: ["feature"] });
  const issues = Array.from({ length: count }, (_, index) => index + 2);
  await allAsleep(stage, issues);
  return issues;
}

/** Resolves once the agents of the issues sleep without a process, and GitHub has no webhook left to send. */
export async function allAsleep({ api, github, dataDir }: Stage, issues: readonly number[]): Promise<void> {
  await until("all sleep", async () => {
    const agents = await api.agents();
    const asleep = issues.every(
      (issue) => agents.find((agent) => agent.issue === issue)?.state === "SLEEPING",
    );
    return asleep && github.webhooks.held().length === 0 && !hasStops(dataDir);
  });
}

/** Returns whether processes are still being stopped; their agents already sleep. */
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

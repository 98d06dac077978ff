import { databaseIn } from "../src/adapters/store/registry.ts";
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

/**
 * Runs `work` with a Flotilla on a local GitHub, with issue 1 that no agent works on. `work` may use `directory`. `env` is
 * added to that of the process.
 */
export async function onStage<T>(
  work: (stage: Stage, directory: string) => Promise<T>,
  env: Variables = {},
): Promise<T> {
  return inTemporary(async (directory) => {
    const stage = await setStage({
      scenario,
      directory,
      confined: false,
      env: { LOG_LEVEL: "error", ...env },
    });
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

/** The environment that says where the database is, other than in the data directory. */
type Variables = Readonly<Record<string, string>>;

/** Starts agents on new issues. Returns the numbers of these once all agents sleep. */
export async function fallAsleep(
  stage: Stage,
  count: number,
  variables: Variables = {},
): Promise<readonly number[]> {
  const octocat = stage.github.as("octocat");
  for (let agent = 0; agent < count; agent += 1)
    await octocat.openIssue({ title: `Another, ${agent}`, body: "After it.", labels: ["feature"] });
  const issues = Array.from({ length: count }, (_, index) => index + 2);
  await allAsleep(stage, issues, variables);
  return issues;
}

/** Resolves once the agents of the issues sleep without a process, and GitHub has no webhook left to send. */
export async function allAsleep(
  { api, github, dataDir }: Stage,
  issues: readonly number[],
  variables: Variables = {},
): Promise<void> {
  await until("all sleep", async () => {
    const agents = await api.agents();
    const asleep = issues.every(
      (issue) => agents.find((agent) => agent.issue === issue)?.state === "SLEEPING",
    );
    return asleep && github.webhooks.held().length === 0 && !(await hasStops(dataDir, variables));
  });
}

/** Returns whether processes are still being stopped; their agents already sleep. */
async function hasStops(dataDir: string, variables: Variables): Promise<boolean> {
  const reader = await databaseIn({ variables, dataDir }).openReadOnly();
  try {
    const sessions = await reader.records.ids("session", { state: ["starting", "running", "stopping"] });
    const stops = await reader.effects.find({ kind: "close_session", state: ["pending", "leased"] });
    return sessions.length + stops.length > 0;
  } finally {
    await reader.close();
  }
}

import { databaseIn } from "../src/adapters/store/registry.ts";
import type { LoggedRequest } from "../src/demo/github/http/request-log.ts";
import { type Scenario, scenarioSchema } from "../src/demo/scenario.ts";
import { type Stage, setStage } from "../src/demo/stage.ts";
import type { Bench, Row, Size } from "./bench.ts";
import { inTemporary, timed, until } from "./work.ts";

/**
 * Counts what the simplest life of an issue costs of GitHub's limits: a person opens it with a label, an agent commits, opens
 * a pull request and is done. Then many are opened at once, on a local GitHub that enforces its limits.
 */
export const life: Bench = {
  name: "life",
  about: "what one issue costs of GitHub's limits, beside the aim, and many issues at once",
  run: (size) => measure(size),
};

const SIZES = { full: { lives: 3, burst: 16 }, small: { lives: 1, burst: 2 } } as const;

/** As many agents as the burst is worked on by. */
const AT_ONCE = 4;

const LONGEST_MS = 1_800_000;

const scenario: Scenario = scenarioSchema.parse({
  title: "the simplest life of an issue",
  repository: { name: "app", files: { "README.md": "# app\n" }, labels: ["feature"] },
  people: { octocat: "write" },
  config: {
    evidence: { commands: ["test -s README.md"] },
    runtime: { max_concurrent_agents: AT_ONCE },
    // Nobody merges here, and agents start nevertheless.
    attention: { open_prs: 1_000 },
    circuit_breakers: { repository_per_day: { max_agents: 1_000 } },
    roles: {
      "feat-dev": { prompt: "feat-dev.md", triggers: [{ event: "issues.labeled", label: "feature" }] },
    },
  },
  model: {
    conversations: [
      {
        match: "Work on issue",
        again: "You were interrupted|You are awake",
        steps: [
          { call: [{ tool: "create", args: { path: "{{cwd}}/added.txt", file_text: "added\n" } }] },
          { call: [{ tool: "commit", args: { message: "Add a file" } }] },
          { call: [{ tool: "open_pr", args: { title: "Add a file", body: "It adds a file." } }] },
          { call: [{ tool: "report_complete", args: { summary: "The file is there." } }] },
        ],
      },
    ],
  },
  story: [],
});

async function measure(size: Size): Promise<readonly Row[]> {
  return inTemporary(async (directory) => {
    const stage = await setStage({ scenario, directory, confined: false, env: { LOG_LEVEL: "error" } });
    try {
      // The first one also makes the labels, and reads what is remembered afterwards.
      await live(stage, 1);
      const lives: Spent[] = [];
      for (let one = 0; one < SIZES[size].lives; one += 1) lives.push(await live(stage, 1));
      const { burst } = SIZES[size];
      const many = await live(stage, burst);
      const of = (what: keyof Spent) => lives.map((one) => one[what]);
      return [
        {
          what: "requests to GitHub's API in the life of an issue",
          unit: "requests",
          ours: of("requests"),
          reference: { name: "of them answered with 304", rounds: of("unchanged") },
        },
        { what: "of them writes", unit: "requests", ours: of("writes"), reference: aim(4) },
        { what: "points of GitHub's limit for them", unit: "points", ours: of("points"), reference: aim(40) },
        {
          what: `${burst} issues at once, ${AT_ONCE} agents at a time, until all are done`,
          unit: "s",
          ours: [many.ms / 1000],
          reference: {
            name: "issues × one life, shared by the agents",
            rounds: of("ms").map((ms) => (ms * burst) / AT_ONCE / 1000),
          },
        },
        {
          what: "points for each of these",
          unit: "points",
          ours: [many.points / burst],
          reference: { name: "a life alone", rounds: of("points") },
        },
      ];
    } catch (error) {
      throw new Error(`the stage failed; Flotilla logged:\n${stage.served().log()}`, { cause: error });
    } finally {
      await stage.close();
    }
  });
}

const aim = (most: number) => ({ name: "aim", rounds: [most] });

interface Spent {
  readonly requests: number;
  readonly unchanged: number;
  /** Requests that change something, other than git's and those for tokens. */
  readonly writes: number;
  /** As GitHub counts them: 1 for a read, 5 for a write; here a read that is answered with 304 counts, too. */
  readonly points: number;
  readonly ms: number;
}

/** Opens so many issues, waits until their agents are done and all is written, and counts what that took. */
async function live(stage: Stage, count: number): Promise<Spent> {
  const { github, api } = stage;
  const octocat = github.as("octocat");
  const before = github.requests().length;
  const done = async (): Promise<number> =>
    (await api.agents()).filter(({ state }) => state === "COMPLETED").length;
  const awaited = (await done()) + count;
  const ms = await timed(async () => {
    for (let issue = 0; issue < count; issue += 1)
      await octocat.openIssue({ title: `Add a file, ${issue}`, body: "Please.", labels: ["feature"] });
    const what = `all ${count} are done`;
    await until(what, async () => (await done()) >= awaited && (await isWritten(stage)), LONGEST_MS);
  });
  const requests = github.requests().slice(before).filter(isOurs);
  const writes = requests.filter(({ method }) => method !== "GET").length;
  return {
    requests: requests.length,
    unchanged: requests.filter(({ status }) => status === 304).length,
    writes,
    points: requests.length + 4 * writes,
    ms,
  };
}

/** Returns whether a request is one of the App's installation to the API. */
function isOurs({ actor, path }: LoggedRequest): boolean {
  return actor === "flotilla[bot]" && path.startsWith("/repos/");
}

async function isWritten({ dataDir }: Stage): Promise<boolean> {
  const reader = await databaseIn({ variables: {}, dataDir }).openReadOnly();
  try {
    return (await reader.effects.find({ state: ["pending", "leased"] })).length === 0;
  } finally {
    await reader.close();
  }
}

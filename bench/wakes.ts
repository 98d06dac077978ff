import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { scenarioSchema } from "../src/demo/scenario.ts";
import { type Stage, setStage } from "../src/demo/stage.ts";

/**
 * How long a sleeper's wake takes, from a person's comment on GitHub until the model reads it: webhook, inbox, reaction,
 * wake, worktree, a new runtime process, the conversation resumed, the first request. One at a time.
 */
const AGENTS = 8;
const WAKES_EACH = 6;
/** Between wakes: each is answered by comments, and GitHub takes 80 in a minute. */
const PAUSE_MS = 4_000;
const LIMIT_MS = 30_000;

const scenario = scenarioSchema.parse({
  title: "wakes",
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
        steps: ["Work on issue", "You are awake again"].map((when) => ({
          when,
          call: [{ tool: "report_blocked", args: { blocker_issue: 1, reason: "It must come first." } }],
        })),
      },
    ],
  },
  story: [],
});

const directory = mkdtempSync(join(tmpdir(), "flotilla-bench-"));
const stage = await setStage({ scenario, directory, confined: false, env: { LOG_LEVEL: "error" } });
try {
  const issues = await asleep(stage);
  const times: number[] = [];
  for (let round = 1; round <= WAKES_EACH; round += 1) {
    for (const issue of issues) {
      await pause(PAUSE_MS);
      times.push(await wake(stage, issue, `word ${round} of ${issue};`));
    }
  }
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]?.toFixed(0);
  print(`${times.length} wakes of ${AGENTS} agents, one at a time, comment to the model's request`);
  print(`p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
} finally {
  await stage.close();
  rmSync(directory, { recursive: true });
}

/** Starts the agents; returns their issues once all of them sleep. */
async function asleep({ github, api }: Stage): Promise<readonly number[]> {
  const octocat = github.as("octocat");
  await octocat.openIssue({ title: "The first", body: "By hand." });
  for (let agent = 0; agent < AGENTS; agent += 1)
    await octocat.openIssue({ title: `Another, ${agent}`, body: "After it.", labels: ["feature"] });
  const issues = Array.from({ length: AGENTS }, (_, index) => index + 2);
  await until("all sleep", async () => {
    const agents = await api.agents();
    return agents.filter(({ state }) => state === "SLEEPING").length === AGENTS;
  });
  return issues;
}

/** Milliseconds from the comment to the request; returns once the agent sleeps again. */
async function wake({ github, model, api }: Stage, issue: number, word: string): Promise<number> {
  const seen = model.requests.length;
  const began = performance.now();
  await github.as("octocat").comment(issue, `@${github.app.slug} ${word}`);
  await until(`${word} is read`, () =>
    model.requests.slice(seen).some(({ messages }) => messages.some(({ content }) => content.includes(word))),
  );
  const took = performance.now() - began;
  await until(`#${issue} sleeps again`, async () => {
    const agent = (await api.agents()).find((one) => one.issue === issue);
    return agent?.state === "SLEEPING" && github.webhooks.held().length === 0;
  });
  return took;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${LIMIT_MS / 1000} s`);
    await pause(2);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

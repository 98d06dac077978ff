import { setTimeout as pause } from "node:timers/promises";
import type { Stage } from "../src/demo/stage.ts";
import { withBareSessions } from "./bare-session.ts";
import type { Bench, Row, Size } from "./bench.ts";
import { megabytesBelow, megabytesOf } from "./processes.ts";
import { allAsleep, fallAsleep, onStage, STAY_AT_WORK } from "./waiting.ts";
import { until } from "./work.ts";

/**
 * Measures how long waking an agent takes, from a person's comment on GitHub until the model reads it: webhook, inbox,
 * change set, wake, worktree, a new runtime process, the resumed conversation, the first request. One wake at a time.
 * Then measures what working agents cost. The reference for both is a session that the Copilot SDK opens by itself.
 */
export const awake: Bench = {
  name: "awake",
  about: "from a comment to the model's request, and an agent at work, beside a bare session of the SDK",
  run: (size) => onStage((stage, directory) => measure(stage, directory, size)),
};

const SIZES = {
  full: { agents: 4, rounds: 8, pauseMs: 3_000 },
  small: { agents: 1, rounds: 1, pauseMs: 0 },
} as const;

async function measure(stage: Stage, directory: string, size: Size): Promise<readonly Row[]> {
  const { agents, rounds, pauseMs } = SIZES[size];
  const bare = { model: stage.model, directory };
  const issues = await fallAsleep(stage, agents);
  const wakes: number[] = [];
  const opened: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const issue = issues[round % agents] ?? 2;
    // Each wake causes comments, and GitHub accepts 80 per minute.
    await pause(pauseMs);
    wakes.push(await wake(stage, issue, `word ${round};`));
    await allAsleep(stage, issues);
    opened.push(...(await withBareSessions(1, bare, async (one) => one.map(({ ms }) => ms))));
  }
  const { pid } = stage.served();
  const before = await megabytesOf(pid);
  for (const issue of issues) await wake(stage, issue, `${STAY_AT_WORK} You on ${issue};`);
  // All run at the same time, so that the same number of processes shares what they have in common.
  const [working, sessions] = await withBareSessions(agents, bare, async (others) => [
    (await megabytesBelow(pid)) / agents,
    await Promise.all(others.map(({ megabytes }) => megabytes())),
  ]);
  return [
    {
      what: "a comment until the woken agent's model call",
      unit: "ms",
      ours: wakes,
      reference: { name: "bare session, from start to model call", rounds: opened },
    },
    {
      what: "memory of one agent's processes at work",
      unit: "MB",
      ours: [working],
      reference: { name: "runtime of a bare session", rounds: sessions },
    },
    {
      what: "system prompt and tools of the coder, before the first message",
      unit: "characters",
      ours: [beforeFirstMessage(stage)],
      reference: { name: "aim", rounds: [32_000] },
    },
    {
      what: `memory of Flotilla itself, ${agents} at work`,
      unit: "MB",
      ours: [await megabytesOf(pid)],
      reference: { name: "all asleep", rounds: [before] },
    },
  ];
}

/** Returns the number of characters that the last model request of an agent had besides its conversation. */
function beforeFirstMessage({ model }: Stage): number {
  const last = model.requests.findLast(({ tools }) => tools.includes("report_complete"));
  if (last === undefined) throw new Error("no agent has asked the model");
  return (last.messages[0]?.content.length ?? 0) + JSON.stringify(JSON.parse(last.body).tools).length;
}

/** Returns the milliseconds from the comment to the request in which the model reads it. */
export async function wake({ github, model }: Stage, issue: number, word: string): Promise<number> {
  const seen = model.requests.length;
  const began = performance.now();
  await github.as("octocat").comment(issue, `@${github.app.slug} ${word}`);
  await until(`${word} is read`, () =>
    model.requests.slice(seen).some(({ messages }) => messages.some(({ content }) => content.includes(word))),
  );
  return performance.now() - began;
}

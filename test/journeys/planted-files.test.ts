import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomOf, shuffled } from "../random.ts";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const SEED = 16;
const BLOCKER = 1;
const INNOCENT = 2;

/** Shell commands that replace the path in $f. */
const PLANTS: Readonly<Record<string, string>> = {
  "a link to /dev/zero": "rm -rf $f; ln -s /dev/zero $f",
  "a pipe": "rm -rf $f; mkfifo $f",
  "a line of 600 MB": "rm -rf $f; truncate -s 600M $f",
  "a link to itself": "rm -rf $f; ln -s $f $f",
  "a directory": "rm -rf $f; mkdir $f",
  "a socket":
    "rm -rf $f; perl -e 'use Socket; chdir shift; socket(S,1,1,0); bind(S,pack_sockaddr_un(shift)) or die' $(dirname $f) $(basename $f)",
  "no rights": "chmod 0 $f",
  nothing: "rm -rf $f",
  "random bytes": "rm -rf $f; head -c 5000 /dev/urandom > $f",
  "a short file": 'rm -rf $f; echo \'{"type":"sess\' > $f',
};

/** The agent's own files, as a shell in its worktree finds them. */
const LOG = "$(echo $HOME/../session-state/*)/events.jsonl";
const OTHERS = [
  "$(echo $HOME/../session-state/*)",
  "$HOME/../session-state",
  "$HOME",
  "$HOME/../tmp",
  ".git",
  "README.md",
] as const;

const random = randomOf(SEED);
/** Each plant in place of the log, and half of them elsewhere. */
const PLANTED = [
  ...Object.keys(PLANTS).map((plant) => ({ plant, file: LOG })),
  ...OTHERS.map((file, index) => ({ plant: shuffled(Object.keys(PLANTS), random)[index] ?? "a pipe", file })),
].map((planted, index) => ({ ...planted, issue: INNOCENT + 1 + index }));

const waits = call("report_blocked", { blocker_issue: BLOCKER, reason: "That comes first." });
const goesOn = (file: string) => after("You are awake again|earlier conversation", makes(file));

const SCENARIO = aScenario({
  config: { runtime: { max_concurrent_agents: 20 } },
  conversations: [
    saysOn(INNOCENT, [waits, ...goesOn("innocent.md")]),
    ...PLANTED.map(({ issue, plant, file }) => {
      const command = `f=${file}; ${PLANTS[plant]}`;
      return saysOn(issue, [
        call("bash", { command, description: "Plant" }),
        waits,
        ...goesOn(`planted-${issue}.md`),
      ]);
    }),
  ],
});

describe("a service whose agents plant files in their own directories", () => {
  let journey: Journey;
  const all = [INNOCENT, ...PLANTED.map(({ issue }) => issue)];
  const agents = () =>
    journey.rows("SELECT issue, state, sleep_reason, reason, restarts FROM agent ORDER BY issue");

  beforeAll(async () => {
    journey = await startJourney({ scenario: SCENARIO, patience: 300 });
    const octocat = journey.github.as("octocat");
    await octocat.openIssue({ title: "First", body: "By hand." });
    for (const issue of all) await octocat.openIssue({ title: `Work ${issue}`, body: "Do it." });
    for (const issue of all) await octocat.label(issue, "feature");
    await journey.until("all have planted", () => {
      const waiting = agents().filter(({ state }) => state !== "ACTIVE" && state !== "CREATED");
      return waiting.length === all.length;
    });
    // What recovery encounters.
    await journey.restart("SIGKILL");
    await octocat.close(BLOCKER);
    await journey.until("nobody is at work any more", () =>
      agents().every(({ state }) => ["COMPLETED", "FAILED", "ESCALATED"].includes(String(state))),
    );
  }, 600_000);
  afterAll(() => journey.close(), 180_000);

  it("keeps running, and ends each agent with a reason or lets it continue", async () => {
    expect(agents()[0]).toMatchObject({ issue: INNOCENT, state: "COMPLETED" });
    const unexplained = agents().filter(({ state, reason }) => state !== "COMPLETED" && !reason);
    expect(unexplained).toEqual([]);
    expect(await journey.api.agents()).toHaveLength(all.length);
  });
});

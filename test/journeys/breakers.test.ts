import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import { markedProcesses } from "../../src/adapters/sandbox/marked-processes.ts";
import { signalProcess } from "../../src/adapters/sandbox/process-table.ts";
import { aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { until } from "./until.ts";

/** One issue and one role for each way to run endlessly. The role's limits keep the test short. */
const STORIES = {
  talker: { issue: 1, limits: { max_turns: 4 } },
  flooder: { issue: 2, limits: { max_tool_calls: 6 } },
  silent: { issue: 3, limits: {} },
  hanger: { issue: 4, limits: { max_active_duration: "4s" } },
  mortal: { issue: 5, limits: {} },
  sleeper: { issue: 6, limits: { max_sleep_duration: "2s" } },
  looper: { issue: 7, limits: {} },
} as const;
type Story = keyof typeof STORIES;
const names: readonly Story[] = ["talker", "flooder", "silent", "hanger", "mortal", "sleeper", "looper"];

const BLOCKER = 8;
const look = (file: string) => ({
  tool: "bash",
  args: { command: `cat ${file}`, description: `Look at ${file}` },
});
const looks = (...files: readonly string[]) => ({ call: files.map(look) });
const files = (count: number) => Array.from({ length: count }, (_, place) => `file-${place}.md`);
const HOUR_MS = 3_600_000;

const SCENARIO = aScenario({
  config: {
    agents_dir: fileURLToPath(new URL("../fixtures/roles", import.meta.url)),
    roles: Object.fromEntries(
      names.map((name) => [
        name,
        { prompt: "anyone.md", triggers: [{ event: "issues.labeled", label: name }] },
      ]),
    ),
    circuit_breakers: { roles: Object.fromEntries(names.map((name) => [name, STORIES[name].limits])) },
  },
  conversations: [
    saysOn(
      STORIES.talker.issue,
      files(40).map((file) => looks(file)),
    ),
    saysOn(STORIES.flooder.issue, [looks(...files(30)), ...files(10).map((file) => looks(file))]),
    saysOn(
      STORIES.silent.issue,
      Array.from({ length: 10 }, () => ({ say: "I am thinking about it." })),
    ),
    saysOn(STORIES.hanger.issue, [{ delayMs: HOUR_MS, say: "At last." }]),
    saysOn(STORIES.mortal.issue, [
      call("bash", { command: "sleep 6", description: "Wait" }),
      ...makes("mortal.md"),
    ]),
    saysOn(
      STORIES.looper.issue,
      Array.from({ length: 60 }, () => looks("README.md")),
    ),
    saysOn(STORIES.sleeper.issue, [
      call("report_blocked", { blocker_issue: BLOCKER, reason: "That comes first." }),
    ]),
  ],
});

/** Each story is one agent that only a limit stops. */
describe("an agent that would never end", { timeout: 180_000 }, () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ scenario: SCENARIO });
    const octocat = journey.github.as("octocat");
    for (let number = 1; number <= BLOCKER; number += 1)
      await octocat.openIssue({ title: `Issue ${number}`, body: "Please." });
    for (const name of names) await octocat.label(STORIES[name].issue, name);
  }, 180_000);
  afterAll(() => journey.close());

  const agentOf = (name: Story) =>
    journey.rows("SELECT * FROM agent WHERE issue = ?", STORIES[name].issue).at(-1);
  const said = (name: Story, text: RegExp) =>
    until(`a comment on ${name}'s issue with ${String(text)}`, () =>
      journey.github
        .state()
        .comments(STORIES[name].issue)
        .find(({ body }) => text.test(body)),
    );
  const processesOf = (name: Story) => markedProcesses([String(agentOf(name)?.["session_id"])]);
  const noProcess = (name: Story) =>
    until(`${name} has no process`, async () => (await processesOf(name)).length === 0, 20);

  it.concurrent("one that talks without end stops at its turn limit, and a person lets it continue", async ({
    expect,
  }) => {
    await journey.reached(STORIES.talker.issue, "SLEEPING");
    expect(agentOf("talker")).toMatchObject({ sleep_reason: "approval", turns: 4 });
    await said("talker", /max_turns.*4 of 4 turns.*\/flotilla continue/s);
    await noProcess("talker");
    await journey.github.as("octocat").comment(STORIES.talker.issue, "/flotilla continue 3");
    await until("it used what it was given", () => agentOf("talker")?.["turns"] === 7);
    await journey.reached(STORIES.talker.issue, "SLEEPING");
    await journey.github.as("octocat").comment(STORIES.talker.issue, "/flotilla cancel");
    await journey.reached(STORIES.talker.issue, "CANCELLED");
  });

  it.concurrent("one that floods tool calls is denied more at its limit, may wrap up once, and is escalated", async ({
    expect,
  }) => {
    await journey.reached(STORIES.flooder.issue, "ESCALATED");
    expect(agentOf("flooder")).toMatchObject({ breaker: "max_tool_calls", tool_calls: 6 });
    const ran = journey.rows(
      "SELECT 1 FROM tool_call WHERE agent_id = ? AND status IN ('success', 'failure')",
      Number(agentOf("flooder")?.["id"]),
    );
    expect(ran.length).toBeLessThanOrEqual(6);
    await said("flooder", /max_tool_calls/);
    await noProcess("flooder");
  });

  it.concurrent("one that never reports is nudged once and then escalated", async ({ expect }) => {
    await journey.reached(STORIES.silent.issue, "ESCALATED");
    expect(agentOf("silent")).toMatchObject({ category: "ended_without_report", turns: 2 });
    await said("silent", /it stopped twice without saying whether it is done/);
    await noProcess("silent");
  });

  it.concurrent("one whose model hangs fails at its time limit, and leaves no process", async ({
    expect,
  }) => {
    await journey.reached(STORIES.hanger.issue, "FAILED");
    const agent = agentOf("hanger");
    expect(agent).toMatchObject({ breaker: "max_active_duration" });
    expect(Number(agent?.["active_ms"])).toBeGreaterThanOrEqual(4000);
    await said("hanger", /failed at the limit `max_active_duration`/);
    await noProcess("hanger");
  });

  it.concurrent("one whose runtime is killed continues in the same conversation", async ({ expect }) => {
    await until("its command runs", () => {
      const running = "SELECT 1 FROM tool_call WHERE agent_id = ? AND status = 'running'";
      return journey.rows(running, Number(agentOf("mortal")?.["id"] ?? 0)).length === 1;
    });
    // The end of the first process may already end the others.
    for (const pid of await processesOf("mortal")) signalProcess(pid, "SIGKILL");
    await until("it waits for its retry", () => agentOf("mortal")?.["sleep_reason"] === "retry");
    await journey.reached(STORIES.mortal.issue, "COMPLETED");
    expect(agentOf("mortal")).toMatchObject({ wakes: 0, session_count: 1 });
    const last = journey.model.requests.findLast(({ messages }) =>
      messages.some(({ content }) => content.includes(`Work on issue #${STORIES.mortal.issue} of`)),
    );
    const told = (last?.messages ?? []).filter(({ role }) => role === "user").map(({ content }) => content);
    expect(told.filter((text) => text.includes("Work on issue #"))).toHaveLength(1);
    expect(told.at(-1)).toContain("You were interrupted by a failure");
    await noProcess("mortal");
  });

  it.concurrent("one that sleeps too long escalates to a person, and names what it waits for", async ({
    expect,
  }) => {
    await journey.reached(STORIES.sleeper.issue, "ESCALATED");
    expect(agentOf("sleeper")).toMatchObject({ category: "expired" });
    await said("sleeper", new RegExp(`#${BLOCKER}`));
  });

  it.concurrent("one that repeats itself gets one new conversation with another plan, and is then escalated", async ({
    expect,
  }) => {
    await journey.reached(STORIES.looper.issue, "ESCALATED");
    const looper = agentOf("looper");
    expect(looper).toMatchObject({ category: "no_progress", session_count: 2 });
    expect(Number(looper?.["turns"])).toBeLessThan(25);
    await said("looper", /README\.md/);
    await noProcess("looper");
  });

  it("violates no lifecycle invariant", async ({ expect }) => {
    await journey.quiet();
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

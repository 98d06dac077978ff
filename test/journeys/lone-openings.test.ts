import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

/** Ends a process that opens a conversation beside the file `poison`; reading its log after a turn ends nothing. */
const POISON = join(import.meta.dirname, "../fixtures/end-by-poison.ts");
const POISONED = 2;
const INNOCENT = [1, 3, 4];
const AGAIN = "You were interrupted by a restart";
/** One while others open, one while drivers of those run, three alone, and some spare. */
const MOST_DEATHS = 8;

/** Next to the conversation, in the path that a shell in the agent's worktree finds. */
const PLANT = "touch $(echo $HOME/../session-state/*)/poison";

const SCENARIO = aScenario({
  conversations: [
    saysOn(POISONED, [
      call("bash", { command: PLANT, description: "Plant" }),
      call("ask_human", { question: "Light or dark?", options: ["light", "dark"], recommended: "light" }),
    ]),
    ...INNOCENT.map((issue) => saysOn(issue, makes(`made-${issue}.md`), AGAIN)),
  ],
});

describe("an agent whose session crashes the process when it is opened", () => {
  let journey: Journey;
  let deaths = 0;
  const agents = () => journey.rows("SELECT issue, state, reason FROM agent ORDER BY issue");
  const isOver = () =>
    agents().length === INNOCENT.length + 1 &&
    agents().every(({ state }) => ["COMPLETED", "FAILED", "ESCALATED"].includes(String(state)));

  /** Restarts the process each time it has ended, sometimes before it listens. */
  async function liveThrough(over: Promise<"over">): Promise<void> {
    while ((await Promise.race([journey.served().exited, over])) !== "over") {
      let listens = false;
      while (!listens) {
        deaths += 1;
        if (deaths > MOST_DEATHS) throw new Error(`it ended ${deaths} times: ${journey.served().log()}`);
        listens = await journey.restart("SIGKILL").then(
          () => true,
          (error: unknown) => {
            if (!String(error).includes("recovered")) return false;
            throw error;
          },
        );
      }
    }
  }

  beforeAll(async () => {
    journey = await startJourney({
      scenario: SCENARIO,
      patience: 200,
      env: { NODE_OPTIONS: `--import ${POISON}` },
    });
    const octocat = journey.github.as("octocat");
    const all = [1, 2, 3, 4];
    for (const issue of all) await octocat.openIssue({ title: `Work ${issue}`, body: "Do it." });
    await octocat.label(POISONED, "feature");
    await journey.reached(POISONED, "SLEEPING");
    for (const issue of INNOCENT) await octocat.label(issue, "feature");
    await octocat.comment(POISONED, "/flotilla answer light");
    const over = Promise.withResolvers<"over">();
    const ended = journey.until("nobody is at work any more", isOver).finally(() => over.resolve("over"));
    await Promise.all([ended, liveThrough(over.promise)]);
  }, 600_000);
  afterAll(() => journey.close(), 180_000);

  it("fails with the reason after three openings without other work", () => {
    const poisoned = agents().find(({ issue }) => issue === POISONED);
    expect(poisoned).toMatchObject({
      state: "FAILED",
      reason: expect.stringContaining(
        "the process of Flotilla ended 3 times while its conversation was opened, with nothing else under way",
      ),
    });
    expect(deaths).toBeGreaterThanOrEqual(4);
  });

  it("does not keep other agents from working", () => {
    expect(agents().filter(({ state }) => state === "COMPLETED")).toHaveLength(INNOCENT.length);
  });

  it("is not opened again, and the next start continues normally", async () => {
    await journey.restart("SIGTERM");
    expect(await journey.api.agents()).toHaveLength(INNOCENT.length + 1);
    expect(journey.rows("SELECT * FROM lone_opening")).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aScenario, call, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const ISSUE = 1;
const SEEN = `printf '[%s]' "$GREETING"`;

/** Confined where the sandbox is available. */
describe("a repository's environment variables", { timeout: 180_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({
      scenario: aScenario({
        config: {
          setup: { commands: [`${SEEN} > "$HOME/of-setup"; test "$GREETING" = '$HOME and \`id\`'`] },
          evidence: { commands: [`${SEEN}; test "$GREETING" = '$HOME and \`id\`'`] },
        },
        conversations: [
          saysOn(ISSUE, [
            call("bash", {
              command: `${SEEN} > made.txt; cat made.txt "$HOME/of-setup"`,
              description: "Look",
            }),
            call("commit", { message: "Add made.txt" }),
            call("open_pr", { title: "Add made.txt", body: "As asked." }),
            call("report_complete", { summary: "It is there." }),
          ]),
        ],
      }),
    });
    const octocat = journey.github.as("octocat");
    const text = "setup: { environment: { GREETING: '$HOME and `id`' } }\n";
    await octocat.push("main", { ".github/flotilla.yml": text }, "What our commands need");
    await octocat.openIssue({ title: "Make it", body: "Please." });
    await octocat.label(ISSUE, "feature");
    await journey.reached(ISSUE, "COMPLETED");
  }, 180_000);
  afterAll(() => journey.close());

  it("are seen by setup commands, the agent's shell and acceptance commands, as they are written", async () => {
    const ran = journey.rows("SELECT kind, exit_code, output FROM evidence ORDER BY id");
    expect(ran.filter(({ kind }) => kind !== "missing")).toMatchObject([
      { kind: "setup", exit_code: 0 },
      { kind: "setup", exit_code: 0 },
      { kind: "command", exit_code: 0, output: "[$HOME and `id`]" },
    ]);
    const shell = journey.rows("SELECT output FROM tool_call WHERE tool = 'bash'");
    expect(JSON.stringify(shell)).toContain("[$HOME and `id`][$HOME and `id`]");
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

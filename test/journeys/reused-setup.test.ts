import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aScenario, call, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const [FIRST, SECOND] = [1, 3];
/** Counts its runs, and leaves a process behind that would write on for ever. */
const INSTALL =
  "echo run >> $FLOTILLA_CACHE/c/runs && mkdir lib && echo good > lib/a.js && " +
  "(setsid sh -c 'while :; do echo late; sleep 0.01; done >> lib/late' > /dev/null 2>&1 &) && sleep 0.2";
const LOOK = "cat lib/a.js; ls lib | tr '\\n' ' '";

const agent = (issue: number, before: string) =>
  saysOn(issue, [
    call("bash", { command: before, description: "Look" }),
    call("bash", { command: `echo made > made-${issue}.txt`, description: "Write" }),
    call("commit", { message: "Add a file" }),
    call("open_pr", { title: `Add made-${issue}.txt`, body: "As asked." }),
    call("report_complete", { summary: "It is there." }),
  ]);

/** Confined where the sandbox is available. */
describe("a setup that is reused", { timeout: 240_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({
      scenario: aScenario({
        config: {
          setup: { commands: [INSTALL], cache: ["c"], reuse: ["lib"] },
          evidence: { commands: ['test "$(cat lib/a.js)" = good && ! test -e lib/evil.js'] },
        },
        conversations: [
          agent(FIRST, `${LOOK}; echo evil > lib/a.js; echo evil > lib/evil.js; chmod -R a+w lib; ${LOOK}`),
          agent(SECOND, LOOK),
        ],
      }),
    });
    const octocat = journey.github.as("octocat");
    await octocat.push("main", { ".gitignore": "lib\n", "package-lock.json": "{}\n" }, "What is installed");
    for (const title of ["Make the first", "Make the second"]) {
      const issue = await octocat.openIssue({ title, body: "Please." });
      await octocat.label(issue, "feature");
      await journey.reached(issue, "COMPLETED");
      if (issue === FIRST) await journey.restart("SIGKILL");
    }
  }, 240_000);
  afterAll(() => journey.close());

  it("runs once for two agents and two checks, also after a kill", () => {
    const runs = join(journey.dataDir, "caches", repositoryIn(journey), "c", "runs");
    expect(readFileSync(runs, "utf8")).toBe("run\n");
    const rows = journey.rows("SELECT output, exit_code FROM evidence WHERE kind = 'setup' ORDER BY id");
    expect(rows.map(({ exit_code }) => exit_code)).toEqual([0, null, null, null]);
    const reused = rows.map(({ output }) =>
      /^Not run: `lib` is reused, .* at commit \w{7}\.$/.test(String(output)),
    );
    expect(reused).toEqual([false, true, true, true]);
  });

  it("shows the second agent, and the checks, nothing of what the first one wrote there", async () => {
    const shells = journey
      .rows("SELECT output FROM tool_call WHERE tool = 'bash' ORDER BY id")
      .map(({ output }) => String(output));
    expect(shells[0]).toMatch(/good\s+a\.js late\s+evil\s+a\.js evil\.js late/);
    expect(shells[2]).toMatch(/good\s+a\.js late/);
    expect(shells[2]).not.toContain("evil");
    const kept = join(journey.dataDir, "setups", repositoryIn(journey));
    expect(readdirSync(kept)).toHaveLength(1);
    const copy = join(kept, readdirSync(kept)[0] ?? "", "0");
    expect(readdirSync(copy).toSorted()).toEqual(["a.js", "late"]);
    expect(statSync(join(copy, "late")).size).toBeGreaterThan(0);
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

const repositoryIn = ({ dataDir }: Journey) => readdirSync(join(dataDir, "setups"))[0] ?? "";

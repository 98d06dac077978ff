import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readProcesses } from "../../src/adapters/sandbox/process-table.ts";
import { aScenario, call, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { describeWithServices } from "./services-here.ts";

const ISSUE = 1;
const bash = (command: string) => call("bash", { command, description: "Look" });
/** The services as the documentation shows them. */
const [, RECIPE = ""] =
  /```yaml\n(services:\n.*?)```/s.exec(readFileSync("docs/repository-file.md", "utf8")) ?? [];
const CHECK = `set -e
redis-cli -u "$REDIS_URL" set greeting hello
test "$(redis-cli -u "$REDIS_URL" get greeting)" = hello
psql "$DATABASE_URL" -At -c 'create table n (n int)' -c 'insert into n values (41)' -c 'select n + 1 from n' | grep -qx 42
echo both answer
`;

describeWithServices("a repository whose tests need Redis and PostgreSQL", { timeout: 240_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({
      confined: true,
      scenario: aScenario({
        conversations: [
          saysOn(ISSUE, [
            bash("sh check.sh && echo made > made.txt"),
            bash('redis-cli -u "$REDIS_URL" shutdown nosave; echo stopped it'),
            bash("sleep 1; echo looked again"),
            call("commit", { message: "Add made.txt" }),
            call("open_pr", { title: "Add made.txt", body: "As asked." }),
            call("report_complete", { summary: "It is there." }),
          ]),
        ],
      }),
    });
    const octocat = journey.github.as("octocat");
    const text = `${RECIPE}evidence: { commands: ["sh check.sh"] }\n`;
    await octocat.push("main", { ".github/flotilla.yml": text, "check.sh": CHECK }, "What our tests need");
    await octocat.openIssue({ title: "Make it", body: "Please." });
    await octocat.label(ISSUE, "feature");
    await journey.reached(ISSUE, "COMPLETED");
  }, 240_000);
  afterAll(() => journey.close());

  it("goes from the label to completion in the sandbox, with both beside the agent and beside its tests", async () => {
    const ran = journey.rows("SELECT kind, command, exit_code, output FROM evidence WHERE kind <> 'missing'");
    expect(ran).toMatchObject([{ kind: "command", command: "sh check.sh", exit_code: 0 }]);
    expect(ran[0]?.["output"]).toContain("both answer");
    const [first] = journey.rows("SELECT output FROM tool_call WHERE tool = 'bash' ORDER BY id");
    expect(first?.["output"]).toContain("both answer");
  });

  it("the agent is told of the service that ended, and so are those who watch", () => {
    const told = journey.rows("SELECT data FROM run_event WHERE type = 'agent:service' ORDER BY id");
    const events = told.map(({ data }) => JSON.parse(String(data)));
    expect(events).toMatchObject([
      { service: "redis", what: "ready" },
      { service: "postgres", what: "ready" },
      { service: "redis", what: "ended" },
    ]);
    expect(events[2]?.detail).toContain("User requested shutdown");
    const read = JSON.stringify(journey.model.requests);
    expect(read).toContain("The service `redis` (`redis-server --port 6390");
    expect(read).toContain("- `postgres`: `DATABASE_URL=postgres://postgres@127.0.0.1:5433/postgres`");
  });

  it("nothing of them is left", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
    const left = (await readProcesses()).filter(({ environment }) =>
      environment.some((line) => line.startsWith(`FLOTILLA_SERVICE_DIR=${journey.dataDir}/`)),
    );
    expect(left).toEqual([]);
  });
});

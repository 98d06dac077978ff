import { dirname } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LoggedRequest } from "../../src/demo/github/http/request-log.ts";
import { aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { commandBeside } from "./command-beside.ts";
import { type Journey, startJourney } from "./journey.ts";
import { runFlotilla } from "./run-flotilla.ts";

const SCENARIO = aScenario({
  config: { level: "observe" },
  conversations: [
    saysOn(1, makes("a.txt")),
    saysOn(2, [
      call("escalate_to_human", { reason: "Two specs differ", category: "decision", question: "Which?" }),
    ]),
  ],
});

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney({ scenario: SCENARIO });
  const octocat = journey.github.as("octocat");
  for (const title of ["Add a.txt", "Decide"]) {
    const number = await octocat.openIssue({ title, body: "As it says." });
    await octocat.label(number, "feature");
  }
  await journey.reached(1, "COMPLETED");
  await journey.reached(2, "CANCELLED");
  await octocat.comment(1, "/flotilla status");
  await journey.quiet();
}, 180_000);
afterAll(() => journey.close());

/** Requests of Flotilla: people do not use the App. */
const asked = () => journey.github.requests().filter(({ actor }) => actor !== "octocat");

const folder = () => dirname(journey.dataDir);

/** Returns requests that are not reads, except tokens and git's fetches. */
function written(requests: readonly LoggedRequest[]): readonly string[] {
  return requests
    .filter(({ method }) => method !== "GET" && method !== "HEAD")
    .map(({ method, path }) => `${method} ${path}`)
    .filter((line) => !/^POST \/app\/installations\/\d+\/access_tokens$/.test(line))
    .filter((line) => !/^POST .*\/git-upload-pack$/.test(line));
}

it("agents work at level observe, and the only writes to GitHub request tokens", () => {
  expect(written(asked())).toEqual([]);
  expect(asked().filter(({ path }) => path.includes("git-receive-pack"))).toEqual([]);
  expect(asked().length).toBeGreaterThan(10);
});

it("agents leave nothing on GitHub: no comment, label, branch, ref or pull request", () => {
  const github = journey.github.state();
  expect(github.comments(1).map(({ body }) => body)).toEqual(["/flotilla status"]);
  expect(github.comments(2)).toEqual([]);
  expect(journey.rows("SELECT 1 FROM agent WHERE pr_number IS NOT NULL OR head_commit IS NOT NULL")).toEqual(
    [],
  );
});

it("decisions say what Flotilla would have done, with the texts", () => {
  const told = journey
    .rows("SELECT reason FROM decision WHERE rule = 'withheld'")
    .map(({ reason }) => String(reason));
  expect(told).toContainEqual(expect.stringContaining("would open a pull request: Add a.txt"));
  const kept = journey
    .rows("SELECT result FROM effect WHERE kind = 'open_pr'")
    .map(({ result }) => String(result));
  expect(kept).toContainEqual(expect.stringContaining("Adds a.txt, as asked."));
  const [ended] = journey.rows("SELECT reason FROM agent WHERE issue = 2");
  expect(String(ended?.["reason"])).toContain("it needs a person: Two specs differ");
});

it("a report says what would be done and what was done, and writes nothing", async () => {
  const before = asked().length;
  const run = { cwd: folder(), env: commandBeside(journey) };
  const { code, stdout, stderr } = await runFlotilla(["report", "--last", "5", "--json"], run);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const line = { level: "observe", starts: [{ role: "feat-dev", cause: "feature" }], not: [] };
  expect(JSON.parse(stdout)).toMatchObject({
    reports: [
      {
        lines: [
          { issue: 2, ...line, did: [{ state: "CANCELLED" }] },
          { issue: 1, ...line, did: [{ name: "feat-dev-issue-1", state: "COMPLETED", pr: null }] },
        ],
        totals: { issues: 2, would: 2, handled: 2, completed: 1, pulls: 0 },
      },
    ],
  });
  expect(
    asked()
      .slice(before)
      .some(({ path }) => path.endsWith("/issues")),
  ).toBe(true);
  expect(written(asked())).toEqual([]);
  const unheard = await runFlotilla(["report", "--repo", "no/where"], run);
  expect(unheard).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No webhook from no/where has arrived yet"),
  });
}, 180_000);

it("a proposal of the repository's file is only printed; opening it is refused with the required level", async () => {
  const { name, owner } = journey.github.state().repository;
  const repository = `${owner.login}/${name}`;
  const printed = await runFlotilla(["onboard", repository, "--print"], {
    cwd: folder(),
    env: commandBeside(journey),
  });
  expect({ code: printed.code, stderr: printed.stderr }).toEqual({ code: 0, stderr: "" });
  expect(printed.stdout).toContain("--- .github/flotilla.yml\n# How Flotilla works in this repository.");
  expect(printed.stdout).toContain("would have started on 2 of 2: `feat-dev` on 2.");
  expect(printed.stdout).toContain("It would not be proposed now: the level of");
  const refused = await runFlotilla(["onboard", repository], { cwd: folder(), env: commandBeside(journey) });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("is observe, at which no pull") });
  expect(written(asked())).toEqual([]);
}, 180_000);

it("the database violates no lifecycle invariant", async () => {
  expect(await journey.violationsAfterStop()).toEqual([]);
});

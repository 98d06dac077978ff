import { afterAll, beforeAll, expect, it } from "vitest";
import { aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

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
});
afterAll(() => journey.close());

/** Of Flotilla; people use no App. */
const asked = () => journey.github.requests().filter(({ actor }) => actor !== "octocat");

it("at observe agents work, and nothing but tokens is asked of GitHub in a write", () => {
  const writes = asked().filter(({ method }) => method !== "GET" && method !== "HEAD");
  const others = writes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((line) => !/^POST \/app\/installations\/\d+\/access_tokens$/.test(line))
    .filter((line) => !/^POST .*\/git-upload-pack$/.test(line));
  expect(others).toEqual([]);
  expect(asked().filter(({ path }) => path.includes("git-receive-pack"))).toEqual([]);
  expect(asked().length).toBeGreaterThan(10);
});

it("GitHub has nothing of it: no comment, label, branch, ref or pull request", () => {
  const github = journey.github.state();
  expect(github.comments(1).map(({ body }) => body)).toEqual(["/flotilla status"]);
  expect(github.comments(2)).toEqual([]);
  expect(journey.rows("SELECT 1 FROM agent WHERE pr_number IS NOT NULL OR head_commit IS NOT NULL")).toEqual(
    [],
  );
});

it("what it would have done is told, with its text", () => {
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

it("breaks no rule of the lifecycles", async () => {
  expect(await journey.violationsAfterStop()).toEqual([]);
});

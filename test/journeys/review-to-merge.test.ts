import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after, aScenario, call, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { runFlotilla } from "./run-flotilla.ts";
import { until } from "./until.ts";

const FEAT_DEV = { prompt: "feat-dev.md", triggers: [{ event: "issues.labeled", label: "feature" }] };
const REVIEWER = {
  prompt: "reviewer.md",
  lifecycle: "ephemeral",
  checkout: "head",
  evidence: "verdict",
  triggers: [{ event: "task.ready_for_review" }],
};

const writes = (text: string) => [
  call("bash", { command: `printf '${text}\\n' > greeting.md`, description: "Write the greeting" }),
  call("commit", { message: `Say ${text}` }),
];
const opens = call("open_pr", { title: "Greet", body: "Greets, as asked." });
const asksForReview = call("request_review", { summary: "It says what was asked." });
const LOOKS = "grep -n . greeting.md";
const judges = (verdict: object) => [
  call("bash", { command: LOOKS, description: "Look" }),
  call("submit_verdict", { commit: "{{commit}}", evidence: [LOOKS], ...verdict }),
];

const BY_AGENTS = aScenario({
  config: {
    roles: { "feat-dev": FEAT_DEV, reviewer: REVIEWER },
    review: { required: true },
    evidence: { required_checks: ["build"] },
    merge: { auto: true, method: "squash" },
    level: "merge",
  },
  conversations: [
    saysOn(1, [
      call("submit_plan", { plan: "1. Write greeting.md." }),
      ...after("approves your plan", [...writes("helo"), opens, asksForReview]),
      ...after("an l is missing", [...writes("hello"), asksForReview]),
      ...after("build failed", [...writes("hello, world"), asksForReview]),
    ]),
    {
      match: "Review commit .*Earlier verdicts on this work",
      steps: judges({ verdict: "approve", body: "It greets.", comments: [] }),
    },
    {
      match: "Review commit ",
      steps: judges({
        verdict: "reject",
        body: "The greeting is misspelt.",
        comments: [{ path: "greeting.md", line: 1, body: "It says helo: an l is missing." }],
      }),
    },
  ],
});

const BY_HAND = aScenario({
  config: { roles: { "feat-dev": FEAT_DEV }, review: { required: true } },
  conversations: [
    saysOn(1, [
      ...writes("helo"),
      opens,
      asksForReview,
      ...after("Please spell it right", [...writes("hello"), asksForReview]),
    ]),
  ],
});

const PAUSED = aScenario({
  config: {
    roles: { "feat-dev": FEAT_DEV },
    review: { required: true },
    merge: { auto: true, method: "squash" },
    level: "merge",
  },
  conversations: [saysOn(1, [...writes("hello"), opens, asksForReview])],
});

/** Returns what people do and see on the only issue of a journey. */
function onIssue(journey: Journey) {
  const octocat = () => journey.github.as("octocat");
  const github = () => journey.github.state();
  const task = () => journey.rows("SELECT * FROM task").at(-1) ?? {};
  const pull = () =>
    Number(journey.rows("SELECT pr_number FROM agent WHERE role = 'feat-dev'")[0]?.["pr_number"]);
  const says = (number: number, text: string) =>
    until(`#${number} says ${text}`, () =>
      github()
        .comments(number)
        .find(({ body }) => body.includes(text)),
    );
  /** Waits for a commit in that state other than the earlier ones. */
  const stands = (state: string, ...before: readonly string[]) =>
    until(`another commit is ${state}`, () => {
      // A single read, because the task may move on between two reads.
      const row = task();
      const commit = String(row["review_commit"]);
      return row["state"] === state && !before.includes(commit) ? commit : undefined;
    });
  const reports = (commit: string, state: "success" | "failure") =>
    octocat().call("POST", `/statuses/${commit}`, { state, context: "build" });
  const states = () =>
    journey
      .rows("SELECT to_state FROM transition WHERE machine = 'task' ORDER BY id")
      .map((row) => row["to_state"]);
  const shown = () =>
    github()
      .labels(1)
      .filter((name) => name.startsWith("flotilla:"));
  const onBase = async (message: string) => {
    const [head] = await octocat()
      .call("GET", "/commits?sha=main&per_page=1")
      .then((list) => Object.values(list));
    expect(JSON.stringify(head)).toContain(message);
  };
  return { octocat, github, pull, says, stands, reports, states, shown, onBase };
}

describe("work that agents review and Flotilla merges", { timeout: 180_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ scenario: BY_AGENTS });
  }, 180_000);
  afterAll(() => journey.close());

  it("gets from the plan through a rejection and a failed check into main", async () => {
    const { octocat, github, pull, says, stands, reports, states, shown, onBase } = onIssue(journey);
    await octocat().openIssue({ title: "Greet", body: "Say hello.", labels: ["plan", "feature"] });
    await says(1, "changes nothing until a person approves the plan");
    expect(journey.rows("SELECT 1 FROM tool_call WHERE tool = 'bash'")).toEqual([]);
    await octocat().comment(1, "/flotilla approve");
    const approved = await stands("APPROVED");
    const rejected = String(journey.rows("SELECT commit_sha FROM verdict ORDER BY id")[0]?.["commit_sha"]);
    expect(rejected).not.toBe(approved);
    const [remark] = github().pull(pull()).pull.reviewComments;
    expect(remark).toMatchObject({ path: "greeting.md", line: 1, commitId: rejected });
    await reports(approved, "failure");
    const fixed = await stands("APPROVED", approved);
    await reports(fixed, "success");
    await stands("MERGED");
    await journey.quiet();
    expect(states()).toEqual([
      "UNCLAIMED",
      "CLAIMED",
      "READY_FOR_REVIEW",
      "REJECTED",
      "CLAIMED",
      "READY_FOR_REVIEW",
      "APPROVED",
      "INTEGRATION_FAILED",
      "CLAIMED",
      "READY_FOR_REVIEW",
      "APPROVED",
      "MERGED",
    ]);
    expect(shown()).toEqual(["flotilla:merged"]);
    expect(github().pull(pull()).pull).toMatchObject({ mergedBy: { login: "flotilla[bot]" } });
    await onBase("Greet");
    const verdicts = journey.rows("SELECT commit_sha FROM verdict ORDER BY id");
    expect(new Set(verdicts.map((row) => row["commit_sha"])).size).toBe(3);
    const runs = github().repository.checkRuns.filter(({ name }) => name === "flotilla/review");
    expect(runs.map(({ headSha, conclusion }) => [headSha, conclusion])).toContainEqual([fixed, "success"]);
  });

  it("violates no lifecycle invariant", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

describe("work that a person reviews and merges", { timeout: 180_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ scenario: BY_HAND });
  }, 180_000);
  afterAll(() => journey.close());

  it("follows the person's verdicts, and records each of their acts by name", async () => {
    const { octocat, pull, says, stands, shown, onBase } = onIssue(journey);
    await octocat().openIssue({ title: "Greet", body: "Say hello.", labels: ["feature"] });
    const first = await stands("READY_FOR_REVIEW");
    await octocat().review(pull(), { event: "REQUEST_CHANGES", body: "Please spell it right." });
    const second = await stands("READY_FOR_REVIEW", first);
    await octocat().review(pull(), { event: "APPROVE" });
    expect(await stands("APPROVED")).toBe(second);
    await says(1, "merges #2");
    await octocat().merge(pull());
    await stands("MERGED");
    await journey.reached(1, "COMPLETED");
    await journey.quiet();
    const byPerson = journey
      .rows("SELECT event, actor FROM transition WHERE machine = 'task' ORDER BY id")
      .filter(({ actor }) => actor === "octocat");
    expect(byPerson.map(({ event }) => event)).toEqual(["OPEN", "REJECT", "APPROVE", "OBSERVED_MERGED"]);
    expect(shown()).toEqual(["flotilla:merged"]);
    await onBase("Greet");
  });

  it("violates no lifecycle invariant", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

describe("approved work while the operator pauses everything", { timeout: 180_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ scenario: PAUSED });
  }, 180_000);
  afterAll(() => journey.close());

  it("is not merged until the operator resumes everything", async () => {
    const { octocat, github, pull, says, stands } = onIssue(journey);
    const run = (...args: string[]) =>
      runFlotilla(args, {
        cwd: dirname(journey.dataDir),
        env: { FLOTILLA_DATA_DIR: journey.dataDir },
      });
    await octocat().openIssue({ title: "Greet", body: "Say hello.", labels: ["feature"] });
    await stands("READY_FOR_REVIEW");
    expect(await run("pause", "--all", "--reason", "wait")).toMatchObject({ code: 0 });
    await octocat().review(pull(), { event: "APPROVE" });
    await stands("APPROVED");
    await says(1, "not merged yet, everything is paused by");
    expect(github().pull(pull()).pull).toMatchObject({ mergedBy: null });
    expect(await run("resume", "--all")).toMatchObject({ code: 0 });
    await stands("MERGED");
    expect(github().pull(pull()).pull).toMatchObject({ mergedBy: { login: "flotilla[bot]" } });
  });

  it("violates no lifecycle invariant", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

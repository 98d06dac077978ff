import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after, aScenario, call, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";
import { until } from "./until.ts";

const FEAT_DEV = { prompt: "feat-dev.md", triggers: [{ event: "issues.labeled", label: "feature" }] };
const writes = (path: string, text: string) => [
  call("bash", { command: `printf '${text}\\n' > ${path}`, description: "Write it" }),
  call("commit", { message: `Say ${text}` }),
];
const opens = call("open_pr", { title: "Greet", body: "Greets, as asked." });
const asksForReview = call("request_review", { summary: "It says what was asked." });

const SCENARIO = aScenario({
  config: {
    roles: { "feat-dev": FEAT_DEV },
    review: { required: true },
    merge: { auto: true, method: "squash", max_risk: 20 },
    level: "merge",
  },
  conversations: [
    saysOn(1, [
      ...writes("greeting.md", "hello"),
      opens,
      asksForReview,
      ...after("failed in GitHub", [...writes("greeting.md", "hello, world"), asksForReview]),
    ]),
    saysOn(3, [...writes("greeting.js", "greet();"), opens, asksForReview]),
  ],
});

describe("approved work of a repository with GitHub's own merge queue", { timeout: 180_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ scenario: SCENARIO });
  }, 180_000);
  afterAll(() => journey.close());

  const octocat = () => journey.github.as("octocat");
  const repository = () => journey.github.state().repository;
  const taskOf = (issue: number) => journey.rows(`SELECT * FROM task WHERE issue = ${issue}`).at(-1) ?? {};
  const stands = (issue: number, state: string, before = "") =>
    until(`#${issue} is ${state}`, () => {
      const { state: now, review_commit: commit } = taskOf(issue);
      return now === state && commit !== before ? String(commit) : undefined;
    });
  const reports = (commit: string, state: "success" | "failure") =>
    octocat().call("POST", `/statuses/${commit}`, { state, context: "build" });
  const inQueue = (pull: number, before = "") =>
    until(`#${pull} is in the queue`, () => {
      const commit = repository().queue.find(({ number }) => number === pull)?.commit;
      return commit === before ? undefined : commit;
    });
  const pullOf = (issue: number) =>
    Number(journey.rows(`SELECT pr_number FROM agent WHERE issue = ${issue}`)[0]?.["pr_number"]);

  it("is added to the queue, goes back when its checks fail there, and is merged by GitHub", async () => {
    await octocat().protect({ checks: ["build"], mergeQueue: true });
    await octocat().openIssue({ title: "Greet", body: "Say hello.", labels: ["feature"] });
    const first = await stands(1, "READY_FOR_REVIEW");
    const pull = pullOf(1);
    await octocat().review(pull, { event: "APPROVE" });
    await reports(first, "success");
    const tried = await inQueue(pull);
    await reports(tried, "failure");
    const second = await stands(1, "READY_FOR_REVIEW", first);
    await octocat().review(pull, { event: "APPROVE" });
    await reports(second, "success");
    await reports(await inQueue(pull, tried), "success");
    await stands(1, "MERGED");
    expect(repository().queue).toEqual([]);
    const states = journey.rows("SELECT to_state FROM transition WHERE machine = 'task' ORDER BY id");
    expect(states.map((row) => row["to_state"])).toContain("INTEGRATION_FAILED");
  });

  it("waits for a person where its risk is above the limit, and says why", async () => {
    await octocat().openIssue({ title: "Greet", body: "By code.", labels: ["feature"] });
    const issue = Math.max(
      ...journey.github
        .state()
        .issues()
        .map(({ number }) => number),
    );
    const commit = await stands(issue, "READY_FOR_REVIEW");
    await octocat().review(pullOf(issue), { event: "APPROVE" });
    await reports(commit, "success");
    await until("the status comment says the risk", () =>
      journey.github
        .state()
        .comments(issue)
        .find(({ body }) => body.includes("its risk is 45 of 100") && body.includes("a person merges")),
    );
    expect(repository().queue).toEqual([]);
    await until("the check says the risk", () =>
      repository().checkRuns.find(
        (run) =>
          run.name === "flotilla/review" &&
          run.headSha === commit &&
          JSON.stringify(run).includes("a person merges (risk 45)"),
      ),
    );
    await until("the issue has its label", () =>
      journey.github.state().labels(issue).includes("needs-human") ? true : undefined,
    );
  });

  it("violates no lifecycle invariant", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after, aScenario, call, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const FEAT_DEV = { prompt: "feat-dev.md", triggers: [{ event: "issues.labeled", label: "feature" }] };

const writes = (text: string) => [
  call("bash", { command: `printf '${text}\\n' > greeting.md`, description: "Write the greeting" }),
  call("commit", { message: `Say ${text}` }),
];
const opens = call("open_pr", { title: "Greet", body: "Greets, as asked." });
const asksForReview = call("request_review", { summary: "It says what was asked." });

/** People merge, which is the default. */
const CONFLICTING = aScenario({
  config: { roles: { "feat-dev": FEAT_DEV }, review: { required: true }, reconcile_every: "5s" },
  conversations: [
    saysOn(1, [...writes("hello"), opens, asksForReview]),
    saysOn(2, [
      ...writes("good day"),
      opens,
      asksForReview,
      ...after("could not be merged", [...writes("hello and good day"), asksForReview]),
    ]),
  ],
});

const REJECTED = aScenario({
  config: { roles: { "feat-dev": FEAT_DEV }, review: { required: true, max_cycles: 2 } },
  conversations: [
    saysOn(1, [
      ...writes("helo"),
      opens,
      asksForReview,
      ...after("Spell it right", [...writes("hallo"), asksForReview]),
      ...after("octocat says: continue", [...writes("hullo"), asksForReview]),
      ...after("Two l, and an e", [...writes("hello"), asksForReview]),
    ]),
  ],
});

/** Returns what people do and see on the issues of a journey. */
function onIssues(journey: Journey) {
  const octocat = journey.github.as("octocat");
  const github = () => journey.github.state();
  const task = (issue: number) => journey.rows("SELECT * FROM task WHERE issue = ?", issue).at(-1) ?? {};
  const pull = (issue: number) =>
    Number(journey.rows("SELECT pr_number FROM agent WHERE issue = ?", issue).at(-1)?.["pr_number"]);
  /** Waits for a commit in that state other than the earlier ones. */
  const stands = (issue: number, state: string, ...before: readonly string[]) =>
    journey.until(`another commit of #${issue} is ${state}`, () => {
      const { review_commit, state: present } = task(issue);
      const commit = String(review_commit);
      return present === state && !before.includes(commit) ? commit : undefined;
    });
  const comment = (issue: number, ...words: readonly string[]) =>
    journey.until(`#${issue} says ${words.join(", ")}`, () =>
      github()
        .comments(issue)
        .find(({ body }) => words.every((some) => body.includes(some))),
    );
  const states = (issue: number) =>
    journey
      .rows("SELECT to_state FROM transition WHERE machine = 'task' AND issue = ? ORDER BY id", issue)
      .map((row) => row["to_state"]);
  const labels = (issue: number) => github().labels(issue);
  return { octocat, github, pull, stands, comment, states, labels };
}

describe("approved work with a conflict, merged by people", { timeout: 180_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ scenario: CONFLICTING });
  }, 180_000);
  afterAll(() => journey.close());

  it("goes back to its sleeping coder, which fixes it; a reviewer reviews it again and a person merges it", async () => {
    const { octocat, pull, stands, comment, states, labels } = onIssues(journey);
    for (const body of ["Say hello.", "Say good day."])
      await octocat.openIssue({ title: "Greet", body, labels: ["feature"] });
    for (const issue of [1, 2]) await stands(issue, "READY_FOR_REVIEW");
    for (const issue of [1, 2]) await octocat.review(pull(issue), { event: "APPROVE" });
    for (const issue of [1, 2]) await stands(issue, "APPROVED");
    await comment(2, `a person with write permission merges #${pull(2)}`);
    const approved = await stands(2, "APPROVED");
    await octocat.merge(pull(1));
    const fixed = await stands(2, "READY_FOR_REVIEW", approved);
    expect(states(2).slice(-4)).toEqual(["APPROVED", "INTEGRATION_FAILED", "CLAIMED", "READY_FOR_REVIEW"]);
    const [woken] = journey.rows("SELECT reason, detail FROM wake WHERE reason = 'base_moved'");
    expect(woken?.["detail"]).toMatch(
      new RegExp(`could not be merged: #${pull(2)} conflicts with \`main\` \\([0-9a-f]{7}\\) in greeting.md`),
    );
    await octocat.review(pull(2), { event: "APPROVE" });
    expect(await stands(2, "APPROVED")).toBe(fixed);
    const status = await comment(2, `#${pull(2)} is approved by octocat at ${fixed.slice(0, 7)}`);
    expect(status.body).toContain("task INTEGRATION_FAILED → CLAIMED (CLAIM_FIX by");
    await octocat.merge(pull(2));
    await stands(2, "MERGED");
    await journey.reached(2, "COMPLETED");
    await journey.quiet();
    expect(labels(2)).toEqual(["feature", "flotilla:merged"]);
  });

  it("violates no lifecycle invariant", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

describe("work that reviews reject too many times in a row", { timeout: 180_000 }, () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ scenario: REJECTED });
  }, 180_000);
  afterAll(() => journey.close());

  it("escalates to a person, who grants the number of rounds that they name", async () => {
    const { octocat, pull, stands, comment, labels } = onIssues(journey);
    const rejects = (body: string) => octocat.review(pull(1), { event: "REQUEST_CHANGES", body });
    await octocat.openIssue({ title: "Greet", body: "Say hello.", labels: ["feature"] });
    const first = await stands(1, "READY_FOR_REVIEW");
    await rejects("Spell it right, please.");
    const second = await stands(1, "READY_FOR_REVIEW", first);
    await rejects("Still wrong.");
    await stands(1, "BLOCKED");
    // The status comment gives the same reason, and may appear first.
    const needs = "**feat-dev** needs a person: reviews rejected its work too often.";
    const asked = await comment(1, needs, "rejected 2 times in a row. The last reason");
    expect(asked.body).toContain("Still wrong.");
    expect(asked.body).toContain("- `/flotilla resume` lets it continue with 2 more rounds of review");
    await journey.quiet();
    expect(labels(1)).toEqual(expect.arrayContaining(["flotilla:blocked", "needs-human"]));
    await octocat.comment(1, "/flotilla resume 1");
    const third = await stands(1, "READY_FOR_REVIEW", second);
    await journey.quiet();
    await rejects("Not that either.");
    await comment(1, needs, "rejected 3 times in a row. The last reason");
    await octocat.comment(1, "Two l, and an e.");
    await stands(1, "READY_FOR_REVIEW", third);
    await octocat.review(pull(1), { event: "APPROVE" });
    await stands(1, "APPROVED");
    const given = journey.rows("SELECT reason FROM transition WHERE event = 'RESCOPE' ORDER BY id");
    expect(given.map(({ reason }) => reason)).toEqual([
      "@octocat gives 1 more round of review",
      "@octocat gives 2 more rounds of review",
    ]);
  });

  it("violates no lifecycle invariant", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

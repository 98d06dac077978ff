import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import type { Journey } from "./journey.ts";

const AGAIN = "You were interrupted by a restart";

const CHECK = "build";
const FAILING = [4, 5, 6];
const BLOCKED = 4;
const OPENED_BY_AGENT = 7;

const ASK = call("ask_human", {
  question: "Shall the page be light or dark?",
  options: ["light", "dark"],
  recommended: "light",
});

/** A person must see this file before it is committed. */
const LICENCE = "licence.md";
const MAKES_LICENCE = makes(LICENCE);

/**
 * Prints something different each time, so that an agent that is interrupted and restarted repeatedly does not count as
 * going in circles.
 */
const LOOKS = call("bash", { command: "date +%N | tr 0-9 g-p", description: "Look around" });

/**
 * One feature that waits for a person's issue and then asks a question, and one document that needs an answer and whose
 * commit is held, both with a required check; then three bugs that fail alike, one of them blocked at first, which is
 * an incident. So every kind of effect occurs.
 */
export const SMALL_SCENARIO = aScenario({
  config: {
    policy: { protected_paths: [LICENCE] },
    evidence: { required_checks: [CHECK] },
    reconcile_every: "5s",
    retention: { worktrees: "1s" },
  },
  conversations: [
    saysOn(
      2,
      [
        LOOKS,
        call("create_blocker_issue", { title: "A style", body: "For the page." }),
        call("report_blocked", { blocker_issue: 1, reason: "The page must exist first." }),
        ...after("The issue that blocked you is resolved", [ASK]),
        ...after("Answer from a person", [LOOKS, ...makes("feature.md")]),
      ],
      AGAIN,
    ),
    saysOn(
      3,
      [
        call("escalate_to_human", {
          reason: "Two licences are possible.",
          category: "decision",
          question: "Which one?",
        }),
        ...after("Answer from a person", [LOOKS, ...MAKES_LICENCE.slice(0, 2), { say: "I wait." }]),
        ...after("lets this call pass once", [LOOKS, ...MAKES_LICENCE.slice(1)]),
      ],
      AGAIN,
    ),
    ...FAILING.map((issue) => saysOn(issue, [{ error: { status: 400, message: "no such model" } }])),
  ],
});

/** Plays what the people do. Each act waits for what it answers. */
export async function tellSmallStory(journey: Journey): Promise<void> {
  const octocat = journey.github.as("octocat");
  await octocat.openIssue({ title: "A page", body: "By hand." });
  await octocat.openIssue({ title: "A feature", body: "On that page." });
  await octocat.openIssue({ title: "A licence", body: "Name it." });
  for (const issue of FAILING) await octocat.openIssue({ title: `A bug, ${issue}`, body: "Fix it." });
  // Opened only now, so that issues opened by agents have higher numbers.
  await octocat.label(2, "feature");
  await octocat.label(3, "documentation");
  await octocat.comment(2, "/flotilla status");
  // A restart also puts it to sleep, so the state alone does not show that it has reported.
  await journey.until("#2 waits for #1", () => {
    const waiting = "SELECT 1 FROM agent WHERE issue = 2 AND state = 'SLEEPING' AND sleep_reason = 'blocked'";
    return journey.rows(waiting).length === 1;
  });
  await journey.reached(3, "ESCALATED");
  await octocat.close(OPENED_BY_AGENT, "not_planned");
  await octocat.close(1);
  await octocat.comment(3, "MIT, please.");
  await journey.until("the commit of #3 is held", () => {
    const waiting =
      "SELECT 1 FROM agent WHERE issue = 3 AND state = 'SLEEPING' AND sleep_reason = 'approval'";
    return journey.rows(waiting).length === 1;
  });
  await octocat.comment(3, "/flotilla approve");
  await ticks(journey, 2, "dark");
  await Promise.all([2, 3].map((issue) => checked(journey, issue)));
  const dependency = await blockOnGitHub(journey);
  for (const issue of FAILING) await octocat.label(issue, "bug");
  await journey.reached(BLOCKED, "CREATED");
  await octocat.call("DELETE", dependency);
  for (const issue of FAILING) await journey.reached(issue, "FAILED");
  await journey.until("the incident has its issue", () =>
    journey.rows("SELECT 1 FROM incident WHERE issue > 0").at(0),
  );
  const ended = 2 + FAILING.length;
  await journey.until("what was kept of all that ended is gone", () => {
    return journey.rows("SELECT 1 FROM archive WHERE removed_at > 0").length === ended;
  });
  await journey.quiet();
}

/**
 * Makes one of the bugs wait for another, as people do on GitHub. Returns the function that removes that dependency.
 */
async function blockOnGitHub(journey: Journey): Promise<string> {
  const octocat = journey.github.as("octocat");
  const { id } = await octocat.call("GET", `/issues/${BLOCKED + 1}`);
  const list = `/issues/${BLOCKED}/dependencies/blocked_by`;
  await octocat.call("POST", list, { issue_id: id });
  return `${list}/${String(id)}`;
}

/** Ticks the box of an option on GitHub's page, as soon as the box exists. */
async function ticks(journey: Journey, issue: number, option: string): Promise<void> {
  const box = new RegExp(`\\[ \\](?= \\*\\*\\d\\*\\* \`${option}\`)`);
  const asked = await journey.until(`#${issue} asks`, () =>
    journey.github
      .state()
      .comments(issue)
      .find(({ body }) => box.test(body)),
  );
  await journey.github.as("octocat").editComment(asked.id, asked.body.replace(box, "[x]"));
}

/** Makes the required check succeed while the agent sleeps for it. */
async function checked(journey: Journey, issue: number): Promise<void> {
  const waiting = `SELECT commit_sha FROM intent JOIN agent ON agent.id = intent.agent_id
    WHERE agent.issue = ? AND agent.sleep_reason = 'checks' AND intent.state = 'recorded'`;
  const claim = await journey.until(`#${issue} waits for ${CHECK}`, () => journey.rows(waiting, issue).at(0));
  const green = { state: "success", context: CHECK };
  await journey.github.as("octocat").call("POST", `/statuses/${String(claim["commit_sha"])}`, green);
  await journey.reached(issue, "COMPLETED");
  // Failed on a commit on which it had succeeded: it is rerun, and its author is not disturbed.
  const failed = { name: CHECK, conclusion: "failure", step: "npm test", log: "Error: flickers" } as const;
  await journey.github.as("octocat").runJob(String(claim["commit_sha"]), failed);
}

const pull = (file: string, branch: string) => ({
  title: `Add ${file}`,
  branch,
  state: "open",
  commits: [`Add ${file}`],
  files: [file],
});

const agent = (issue: number, role: string, state: string) => ({
  issue,
  role,
  attempt: 1,
  state,
  branch: `flotilla/${role}/issue-${issue}`,
});

/** How the story ends, whatever happens along the way. */
export const SMALL_END = {
  agents: [
    agent(2, "feat-dev", "COMPLETED"),
    agent(3, "docs-dev", "COMPLETED"),
    ...FAILING.map((issue) => agent(issue, "bug-fix", "FAILED")),
  ],
  tasks: [
    { issue: 2, state: "READY_FOR_REVIEW" },
    { issue: 3, state: "READY_FOR_REVIEW" },
    ...FAILING.map((issue) => ({ issue, state: "UNCLAIMED" })),
  ],
  issues: [
    { number: 1, state: "closed", labels: [], comments: [], reactions: [] },
    {
      number: 2,
      state: "open",
      labels: ["feature", "flotilla:ready-for-review", "needs-human"],
      comments: ["/flotilla status", "feat-dev-issue-2-blocked", "question", "status"],
      reactions: ["+1"],
    },
    {
      number: 3,
      state: "open",
      labels: ["documentation", "flotilla:ready-for-review", "needs-human"],
      comments: [
        "/flotilla approve",
        "MIT, please.",
        "docs-dev-issue-3-approval",
        "docs-dev-issue-3-escalated",
        "status",
      ],
      reactions: ["+1"],
    },
    ...FAILING.map((number) => ({
      number,
      state: "open",
      labels: ["bug", "flotilla:unclaimed"],
      comments: [`bug-fix-issue-${number}-failed`, "status"],
      reactions: [],
    })),
    { number: OPENED_BY_AGENT, state: "closed", labels: [], comments: [], reactions: [] },
    // The issue of the incident itself.
    { number: 10, state: "open", labels: [], comments: [], reactions: [] },
  ],
  blockedBy: [
    [2, OPENED_BY_AGENT],
    [2, 1],
  ],
  pulls: [pull("feature.md", "flotilla/feat-dev/issue-2"), pull("licence.md", "flotilla/docs-dev/issue-3")],
};

import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import type { Journey } from "./journey.ts";
import { until } from "./until.ts";

const AGAIN = "You were interrupted by a restart";

/** One feature that waits for a person's issue, one document that needs an answer: every kind of effect occurs. */
export const SMALL_SCENARIO = aScenario({
  conversations: [
    saysOn(
      2,
      [
        call("report_blocked", { blocker_issue: 1, reason: "The page must exist first." }),
        ...after("What blocked you is resolved", makes("feature.md")),
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
        ...after("Answer from a person", makes("licence.md")),
      ],
      AGAIN,
    ),
  ],
});

/** What the people do; each act waits for what it answers. */
export async function tellSmallStory(journey: Journey): Promise<void> {
  const octocat = journey.github.as("octocat");
  await octocat.openIssue({ title: "A page", body: "By hand." });
  await octocat.openIssue({ title: "A feature", body: "On that page.", labels: ["feature"] });
  await octocat.openIssue({ title: "A licence", body: "Name it.", labels: ["documentation"] });
  await octocat.comment(2, "/flotilla status");
  // A restart puts it to sleep as well, so the state alone does not say that it has reported.
  await until("#2 waits for #1", () => {
    const waiting = "SELECT 1 FROM agent WHERE issue = 2 AND state = 'SLEEPING' AND sleep_reason = 'blocked'";
    return journey.rows(waiting).length === 1;
  });
  await journey.reached(3, "ESCALATED");
  await octocat.close(1);
  await octocat.comment(3, "MIT, please.");
  await journey.reached(2, "COMPLETED");
  await journey.reached(3, "COMPLETED");
  await journey.quiet();
}

const pull = (file: string, branch: string) => ({
  title: `Add ${file}`,
  branch,
  state: "open",
  commits: [`Add ${file}`],
  files: [file],
});
const completed = (issue: number, role: string) => ({
  issue,
  role,
  attempt: 1,
  state: "COMPLETED",
  branch: `flotilla/${role}/issue-${issue}`,
});

/** How the story ends, whatever happens on the way. */
export const SMALL_END = {
  agents: [completed(2, "feat-dev"), completed(3, "docs-dev")],
  tasks: [
    { issue: 2, state: "READY_FOR_REVIEW" },
    { issue: 3, state: "READY_FOR_REVIEW" },
  ],
  issues: [
    { number: 1, state: "closed", labels: [], comments: [], reactions: [] },
    {
      number: 2,
      state: "open",
      labels: ["feature"],
      comments: ["/flotilla status", "feat-dev-issue-2-blocked", "feat-dev-issue-2-completed", "status"],
      reactions: ["+1"],
    },
    {
      number: 3,
      state: "open",
      labels: ["documentation"],
      comments: ["MIT, please.", "docs-dev-issue-3-completed", "docs-dev-issue-3-escalated", "status"],
      reactions: [],
    },
  ],
  blockedBy: [[2, 1]],
  pulls: [pull("feature.md", "flotilla/feat-dev/issue-2"), pull("licence.md", "flotilla/docs-dev/issue-3")],
};

import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import type { Role } from "../../src/domain/agents/role.ts";
import { aRole } from "../factories/a-role.ts";
import { rolesOf } from "../factories/some-settings.ts";
import { person } from "../fakes/github-world.ts";
import { issueOf, labeled, pullClosed, reviewed, tell } from "./people.ts";
import { aRig, type Rig, type RigOptions } from "./rig.ts";
import { type Conversation, call, commit, edit, on, openPr, review, type Step } from "./scripts.ts";

export const RETROSPECTIVE: Role = aRole({
  name: "retrospective",
  description: "Looks back",
  lifecycle: "ephemeral",
  evidence: "none",
  triggers: [{ event: "task.merged" }, { event: "task.rejected" }],
  capabilities: [],
  tools: ["propose_lesson", "read_issue", "read_pr", "report_complete"],
  prompt: "You look back.",
});

export const LINE = "Add a test to each change: people send work without one back.";

/** The line as it is cited by the first person's request for changes. */
export const propose = (line = LINE, citation = "verdict-1"): Step =>
  call("propose_lesson", { line, citation });

export const nothingMore: Step = call("report_complete", { summary: "Nothing more." });

/** What the retrospective of the issue says, in order. */
export function lookingBack(issue: number, ...steps: readonly Step[]): Conversation {
  return { match: `Look back at the work on issue #${issue} of`, steps: [...steps] };
}

/** A coder whose work is sent back once, and which then waits for its end. */
const coding = (issue: number): Conversation =>
  on(
    issue,
    edit(),
    commit,
    openPr,
    review,
    { ...edit("test.ts"), after: "You are awake again" },
    commit,
    review,
  );

/** The work on the issue, sent back once by alice, is up for review again. */
export async function sentBack(
  script: readonly Conversation[],
  {
    settings,
    files = { "AGENTS.md": "# For agents\n\nBe brief.\n" },
    opened,
    ...options
  }: RigOptions & { readonly opened?: { readonly by: string; readonly body: string } } = {},
): Promise<Rig> {
  const roles = rolesOf(aRole(), RETROSPECTIVE);
  const rig = await aRig({
    ...options,
    files,
    settings: { roles, ...settings },
    script: [coding(1), coding(2), ...script],
  });
  for (const [path, text] of Object.entries(files)) rig.repository.files.set(path, text);
  if (opened !== undefined) Object.assign(issueOf(rig, 1), { author: person(opened.by), body: opened.body });
  await sendBack(rig, 1);
  return rig;
}

const pullOf = (rig: Rig, issue: number): number =>
  [...rig.repository.pulls.values()].find(({ headRef }) => headRef.endsWith(`issue-${issue}`))?.number ?? 0;

export async function sendBack(rig: Rig, issue: number): Promise<void> {
  await tell(rig, labeled(rig, issue));
  await tell(rig, reviewed(rig, pullOf(rig, issue), "changes_requested", { body: "Please add a test." }));
}

export async function ends(rig: Rig, how: { readonly merged: boolean }, issue = 1): Promise<void> {
  await tell(rig, pullClosed(rig, pullOf(rig, issue), how));
}

/** Oldest first. */
export const lookersBack = (rig: Rig): Promise<readonly AgentRecord[]> =>
  rig.store.records.find("agent", { role: "retrospective" });

export const lessons = (rig: Rig) =>
  [...rig.repository.pulls.values()].filter(({ headRef }) => headRef.startsWith("flotilla/lesson-"));

function conversationOf(rig: Rig, issue: number) {
  const opening = `Look back at the work on issue #${issue} of`;
  const found = rig.runtime.requests.findLast((messages) =>
    messages.some(({ role, content }) => role === "user" && content.startsWith(opening)),
  );
  return found ?? [];
}

/** Messages that the retrospective of the issue has read. */
export const toldToLooker = (rig: Rig, issue = 1): readonly string[] =>
  conversationOf(rig, issue).flatMap(({ role, content }) => (role === "user" ? [content] : []));

/** Answers of tools that it has read. */
export const answersToLooker = (rig: Rig, issue = 1): readonly string[] =>
  conversationOf(rig, issue).flatMap(({ role, content }) => (role === "tool" ? [content] : []));

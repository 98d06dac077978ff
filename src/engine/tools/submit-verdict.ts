import { z } from "zod";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { placed } from "../../domain/review/diff-lines.ts";
import { verdictFault } from "../../domain/review/verdict-fault.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { clean } from "../kernel/run-events.ts";
import { verdictFacts } from "../review/verdict-facts.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";
import { text } from "./arguments.ts";
import { defineTool, toolRefusal } from "./define-tool.ts";
import { recordIntent } from "./record-intent.ts";

/** Characters of a diff in which comments get their positions; comments beyond go into the review's text. */
const MOST_DIFF = 2_000_000;

/**
 * Checks the verdict against what the reviewer reviews and has run. Redacts secrets here, because the text
 * goes to GitHub.
 */
export const submitVerdict = defineTool({
  name: "submit_verdict",
  description:
    "Say whether the commit under review does what its issue asks. Only for a reviewer, once. A rejection wakes the author with your words, so say what breaks and what would be correct. Ends your turn.",
  purpose:
    "approve or reject the commit under review, with comments on lines and the commands that it ran (reviewers only)",
  schema: z.strictObject({
    commit: z
      .string()
      .trim()
      .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
      .describe("The commit that you reviewed, in full"),
    verdict: z.enum(["approve", "reject"]).describe("reject only for what breaks, misleads or is missing"),
    body: text(
      10_000,
      "Markdown: what you found, the gravest first, or what you checked; reasons for a rejection",
    ),
    comments: z
      .array(
        z.strictObject({
          path: text(4096, "File, relative to the repository"),
          line: z.int().min(1).describe("Line of the file as it is now; left out: the whole file").nullish(),
          body: text(
            2000,
            "What is wrong there and what would be right; begin with nit: what need not be changed",
          ),
        }),
      )
      .max(50)
      .describe("Remarks on files of the change; left out: none")
      .optional(),
    evidence: z
      .array(text(1000, "A command as you ran it"))
      .min(1)
      .max(20)
      .describe("Commands that you ran yourself in this review and rest on; at least one"),
  }),
  kind: "report",
  terminal: true,
  // Paths and commands are compared, and shown as code.
  sanitize: {
    commit: sanitizers.exact,
    body: sanitizers.markdown,
    comments: (comments, speaker) =>
      comments.map(({ path, line, body }) => ({ path, line, body: sanitizers.markdown(body, speaker) })),
    evidence: sanitizers.exact,
  },
  run: async (given, { context, agent, role }) => {
    if (role.evidence !== "verdict") return toolRefusal("Only a reviewer gives a verdict.");
    const found = (given.comments ?? []).map(({ line, ...comment }) => ({ ...comment, line: line ?? null }));
    const fault = verdictFault(
      { ...given, comments: found },
      await verdictFacts(context, context.store, agent),
    );
    if (fault !== null) return toolRefusal(fault);
    const comments = found.map((comment) => ({ ...comment, body: clean(context, comment.body) }));
    return recordIntent(
      { context, agent },
      {
        kind: "submit_verdict",
        commit: given.commit,
        verdict: given.verdict,
        body: clean(context, given.body),
        comments: placed(comments, await patchOf(context, agent)),
        evidence: given.evidence.map((command) => clean(context, command)),
      },
    );
  },
});

/** Returns the diff of the reviewed work; empty where the reviewer has no checkout. */
async function patchOf(context: EngineContext, { id }: AgentRecord): Promise<string> {
  const agent = await context.store.records.get("agent", id);
  if (agent === undefined || agent.baseCommit === null) return "";
  const ref = await worktreeOf(context, agent);
  return ref === null ? "" : (await context.worktrees.diff(ref, agent.baseCommit, MOST_DIFF)).patch;
}

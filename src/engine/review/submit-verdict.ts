import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { Intent, ToolHost } from "../../domain/ports/tool-host.ts";
import { placed } from "../../domain/review/diff-lines.ts";
import { verdictFault } from "../../domain/review/verdict-fault.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { clean } from "../kernel/run-events.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";
import { verdictFacts } from "./verdict-facts.ts";

type Given = Parameters<ToolHost["submitVerdict"]>[0];

/** Characters of a diff in which comments are given their places; what lies beyond is told in the review's text. */
const MOST_DIFF = 2_000_000;

/**
 * `submit_verdict`: what cannot be taken goes back to the model with the reason; what can is recorded by `intend`.
 * Secrets are taken out here: the text is for GitHub.
 */
export async function submitVerdict(
  context: EngineContext,
  agent: AgentRecord,
  given: Given,
  intend: (intent: Intent) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const fault = verdictFault(given, await verdictFacts(context, context.store, agent));
  if (fault !== null) return { ok: false, text: fault };
  const comments = given.comments.map((comment) => ({ ...comment, body: clean(context, comment.body) }));
  return intend({
    kind: "submit_verdict",
    commit: given.commit,
    verdict: given.verdict,
    body: clean(context, given.body),
    comments: placed(comments, await patchOf(context, agent)),
    evidence: given.evidence.map((command) => clean(context, command)),
  });
}

/** What the reviewed work changes; nothing where the reviewer has no checkout. */
async function patchOf(context: EngineContext, { id }: AgentRecord): Promise<string> {
  const agent = await context.store.records.get("agent", id);
  if (agent === undefined || agent.baseCommit === null) return "";
  const ref = await worktreeOf(context, agent);
  return ref === null ? "" : (await context.worktrees.diff(ref, agent.baseCommit, MOST_DIFF)).patch;
}

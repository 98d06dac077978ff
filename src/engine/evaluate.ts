import { type EvidenceFacts, missingEvidence } from "../core/evidence.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Tables } from "../core/ports/store.ts";
import type { Role } from "../core/role.ts";
import { missingMessage, newsMessage, type Prompt } from "../core/text/messages.ts";
import type { EngineContext } from "./context.ts";
import type { Looked } from "./look-at-intent.ts";
import { repositoryOf } from "./repository-of.ts";
import { advanceHolder, agentMove, note, runMove, settlingIntent } from "./settle.ts";
import { runOf } from "./surroundings.ts";
import { worktreeOf } from "./worktree-of.ts";

/**
 * Checks a claim of completion against evidence. The claim stays recorded until the answer stands, so that a crash in
 * between leads back here. Null when the agent's period is over; else what is missing, as the next message.
 */
export async function evaluate(
  context: EngineContext,
  agent: AgentRecord,
  role: Role,
  claim: Looked,
): Promise<Prompt | null> {
  const summary = claim.intent?.kind === "report_complete" ? claim.intent.summary : "";
  const run = await runOf(context.store, agent.id);
  if (run === undefined) return null;
  const base = () => ({ at: context.clock.now(), actor: "flotilla" });
  if (run.state !== "evaluating")
    await advanceHolder(context, agent, { moves: [runMove(run, { ...base(), type: "STEP_COMPLETE" })] });
  const facts = await gather(context, agent, role, { summary, claimed: claim.row?.commit ?? null });
  const missing = missingEvidence(facts);
  if (missing.length === 0) {
    const news = await heardMeanwhile(context, agent);
    if (news !== null) {
      await advanceHolder(
        context,
        agent,
        { moves: [runMove(run, { ...base(), type: "NEXT_STEP" })] },
        { afterwards: (tables) => refuse(tables, claim, "a person's message came before it") },
      );
      return news;
    }
    const { headCommit } = facts;
    await advanceHolder(
      context,
      agent,
      { moves: [agentMove(agent, { ...base(), type: "COMPLETE", cause: "evidence", summary })] },
      {
        // What goes up for review is the commit that was looked at.
        also: (tables) => note(tables, agent.id, headCommit === null ? {} : { headCommit }),
        afterwards: settlingIntent(claim.row),
      },
    );
    return null;
  }
  const { maxBounces } = context.settings.evidence;
  const reason = missing.join(" ");
  const spent = run.bounces >= maxBounces;
  const failed = runMove(run, { ...base(), type: "EVALUATION_FAIL", missing: reason, maxBounces });
  const escalated = agentMove(agent, {
    ...base(),
    type: "ESCALATE",
    reason: `its claim of completion failed ${maxBounces + 1} times. Still missing: ${reason}`,
    category: "evidence",
    question: null,
    breaker: "max_bounces",
  });
  const { fenced } = await advanceHolder(
    context,
    agent,
    { moves: spent ? [failed, escalated] : [failed] },
    { afterwards: (tables) => refuse(tables, claim, reason) },
  );
  if (spent || fenced) return null;
  await context.store.transaction((tables) => note(tables, agent.id, { nudges: 0 }));
  return { text: missingMessage(missing, maxBounces - run.bounces), told: [] };
}

async function refuse(tables: Tables, claim: Looked, reason: string): Promise<void> {
  if (claim.row !== null) await tables.intents.settle(claim.row.id, "refused", reason);
}

/** What people said while it made its claim: nothing that was said to an agent may be left untold at its end. */
async function heardMeanwhile(context: EngineContext, agent: AgentRecord): Promise<Prompt | null> {
  const pending = await context.store.wakes.pending(agent.id);
  const news = pending.filter((wake) => ["message", "answer", "review"].includes(wake.reason));
  if (news.length === 0) return null;
  return {
    text: `Your work is in order, but this came before your report:\n\n${newsMessage(news)}\n\nDo what it asks, then report again.`,
    told: news.map((wake) => wake.id),
  };
}

async function gather(
  context: EngineContext,
  agent: AgentRecord,
  role: Role,
  claim: { summary: string; claimed: string | null },
): Promise<EvidenceFacts> {
  const worktree = await worktreeOf(context, agent);
  const status = worktree === null ? null : await context.worktrees.status(worktree);
  const diff =
    worktree === null || agent.baseCommit === null
      ? null
      : await context.worktrees.diff(worktree, agent.baseCommit, 0);
  const pull =
    agent.prNumber === null
      ? null
      : await context.github.pullRequest(await repositoryOf(context, agent.repositoryId), agent.prNumber);
  const outputs = await context.store.effects.find({ agentId: agent.id, state: "done" });
  return {
    kind: role.evidence,
    uncommitted: status?.changed ?? [],
    changedFiles: diff?.files ?? [],
    headPushed: status?.pushed ?? false,
    claimedCommit: claim.claimed,
    headCommit: status?.head ?? null,
    makesPull: role.tools.includes("open_pr"),
    pull:
      pull === null
        ? null
        : {
            number: pull.number,
            state: pull.state,
            namesIssue: new RegExp(`#${agent.issue}\\b`).test(pull.body),
          },
    outputs: outputs.filter((row) => row.key.includes(":call-")).length,
    summary: claim.summary,
  };
}

import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { RunRecord } from "../../domain/agents/run.ts";
import { missingMessage, type Prompt, wakesMessage } from "../../domain/conversation/prompts.ts";
import { afterEvaluator } from "../../domain/evidence/after-evaluator.ts";
import { type Missing, missingSentence } from "../../domain/evidence/missing.ts";
import { missingFact } from "../../domain/evidence/missing-fact.ts";
import { screensNews } from "../../domain/evidence/screens.ts";
import type { WakeRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { waitForReview } from "../../domain/review/wait-for-review.ts";
import type { CheckedIntent } from "../blockers/check-block-report.ts";
import { keyVariableOf } from "../breakers/asked-models.ts";
import {
  advanceHolder,
  agentMove,
  note,
  runMove,
  sessionMove,
  settlingIntent,
} from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { type Waiting, waitForOutputs } from "../outbox/unsettled-output.ts";
import { leavePlanning } from "../planning/leave-planning.ts";
import { sleepForApproval } from "../questions/ask-person.ts";
import { applyVerdict } from "../review/apply-verdict.ts";
import { presentSession } from "../sessions/conversation.ts";
import { offerPatch } from "../tasks/offer-patch.ts";
import type { AskedClaim, Evaluator } from "./evaluator.ts";
import { type Claim, claimOf, type Judgement, judge } from "./judge.ts";
import { askAboutTests, type WeakenedTests } from "./judge-tests.ts";
import { missingRow } from "./missing-row.ts";

/** One claim of an agent while it is judged. */
interface Evaluation {
  readonly context: EngineContext;
  readonly agent: AgentRecord;
  readonly run: RunRecord;
  readonly claim: Claim;
}

/** What judging a claim needs besides the claim. */
export interface Judging extends Waiting {
  readonly evaluator: Evaluator;
}

/**
 * Judges a claim of completion by its evidence. The claim stays recorded until the result is saved, so that a
 * crash, or a sleep until the checks end, leads back here. Returns what is missing as the next message; null
 * when the agent's period is over. `signal` stops running commands.
 */
export async function evaluate(
  context: EngineContext,
  claimant: AgentRecord,
  role: Role,
  options: Judging & { readonly checked: CheckedIntent },
): Promise<Prompt | null> {
  const { checked, signal, evaluator } = options;
  if (checked.intent?.kind === "submit_verdict") return applyVerdict(context, claimant, checked);
  const claim = claimOf(checked);
  if (claim === null) return null;
  const agent = await waitForOutputs(context, claimant, options);
  if (agent === null) return null;
  const run = await evaluating(context, agent);
  if (run === undefined) return null;
  const evaluation = { context, agent, run, claim };
  const judgement = await judge(context, agent, role, { ...claim, signal });
  switch (judgement.kind) {
    case "undecided":
      return null;
    case "lacking":
      return bounce(evaluation, judgement.missing);
    case "held":
      return (await unreadMessages(evaluation)) ?? holdForPerson(evaluation, judgement.weakened);
    case "pending":
      return (await unreadMessages(evaluation)) ?? sleepUntilChecked(evaluation, judgement);
    case "unevaluated":
      return (
        (await unreadMessages(evaluation)) ??
        ((await askEvaluator(evaluation, evaluator, { ...judgement, signal }))
          ? evaluate(context, agent, role, options)
          : null)
      );
    case "holds":
      return (await unreadMessages(evaluation)) ?? settle(evaluation, judgement);
  }
}

const by = ({ context }: Pick<Evaluation, "context">) => ({ at: context.clock.now(), actor: "flotilla" });

/** Moves the run to evaluating, from whatever phase the claim was made in. */
async function evaluating(context: EngineContext, agent: AgentRecord): Promise<RunRecord | undefined> {
  await leavePlanning(context, agent);
  const run = await runOf(context.store, agent.id);
  if (run !== undefined && run.state !== "evaluating")
    await advanceHolder(context, agent, {
      moves: [runMove(run, { ...by({ context }), type: "STEP_COMPLETE" })],
    });
  return run;
}

/** Records the judged commit as the one for review, unless it stays on this machine. */
const recordCommit =
  ({ agent, claim }: Evaluation, keptHere: boolean) =>
  async (tables: Tables) => {
    if (claim.row.commit !== null && !keptHere)
      await note(tables, agent.id, { headCommit: claim.row.commit });
  };

/** Accepts the claim: completes the agent, or lets it sleep until its work is reviewed. */
async function settle(
  evaluation: Evaluation,
  { confidence, keptHere, approved }: Extract<Judgement, { kind: "holds" }>,
): Promise<null> {
  const { context, agent, claim } = evaluation;
  const { summary, wanted } = claim;
  const event: AgentEvent =
    wanted === "review"
      ? waitForReview({ ...by(evaluation), summary })
      : { ...by(evaluation), type: "COMPLETE", cause: "evidence", summary, confidence };
  const offer = wanted === "completion" ? await offerPatch(context, agent) : () => Promise.resolve();
  const told = approved ? (await ofReason(evaluation, judgedAgain(true))).map(({ id }) => id) : [];
  await advanceHolder(
    context,
    agent,
    { moves: [agentMove(agent, event)] },
    {
      also: async (tables) => {
        await recordCommit(evaluation, keptHere)(tables);
        await offer(tables);
        // The approval that led here would end the sleep at once.
        if (approved) await tables.wakes.settle(told, "delivered", event.at);
      },
      afterwards: settlingIntent(claim.row),
    },
  );
  return null;
}

/** Asks a person about what the change does to the tests. The claim stays recorded, and is judged again after the answer. */
async function holdForPerson(evaluation: Evaluation, weakened: WeakenedTests): Promise<null> {
  const { context, agent, run } = evaluation;
  const told = (await ofReason(evaluation, judgedAgain(false))).map(({ id }) => id);
  const session = await presentSession(context, agent);
  // A run and its conversation wait for an approval only from work.
  const moves = [
    runMove(run, { ...by(evaluation), type: "NEXT_STEP" }),
    ...(session === undefined ? [] : [sessionMove(session, { ...by(evaluation), type: "RUN" })]),
  ];
  await advanceHolder(
    context,
    agent,
    { moves },
    {
      also: async (tables) => {
        await recordCommit(evaluation, false)(tables);
        await askAboutTests(context, tables, agent, weakened);
        await tables.wakes.settle(told, "delivered", context.clock.now());
      },
    },
  );
  await sleepForApproval(context, agent);
  return null;
}

/**
 * Puts the agent to sleep until its checks end, with the claim still recorded; only a failed check wakes it.
 */
async function sleepUntilChecked(
  evaluation: Evaluation,
  { checks, approved }: Extract<Judgement, { kind: "pending" }>,
): Promise<null> {
  const { context, agent } = evaluation;
  const event: AgentEvent = {
    ...by(evaluation),
    type: "WAIT",
    reason: "checks",
    dueAt: null,
    crash: false,
    breaker: null,
    detail: checks.join(", "),
  };
  const told = (await ofReason(evaluation, judgedAgain(approved))).map(({ id }) => id);
  await advanceHolder(
    context,
    agent,
    { moves: [agentMove(agent, event)] },
    {
      also: async (tables) => {
        await recordCommit(evaluation, false)(tables);
        // The wake that led here is settled; left pending, it would end the sleep at once.
        await tables.wakes.settle(told, "delivered", event.at);
      },
    },
  );
  return null;
}

/**
 * Asks the evaluator and returns true once it has answered. Otherwise the agent's period is over, and the
 * claim stays recorded until the evaluator is asked again.
 */
async function askEvaluator(
  evaluation: Evaluation,
  evaluator: Evaluator,
  asked: Pick<AskedClaim, "ref" | "commit" | "signal"> & { readonly approved: boolean },
): Promise<boolean> {
  const { context, agent, claim } = evaluation;
  const { ref, commit, signal } = asked;
  const { id: intentId } = claim.row;
  const end = await evaluator.ask(agent, { intentId, ref, commit, signal, summary: claim.summary });
  if (end.kind === "evaluated") return true;
  const at = context.clock.now();
  const event = afterEvaluator(end, {
    at,
    agent,
    providerAt: context.providerBreaker.dueAt(agent),
    idleSince: evaluator.idleSince ?? at,
    used: evaluator.used(),
    keyVariable: keyVariableOf(context, agent),
  });
  if (event === null) return false;
  const told = (await ofReason(evaluation, judgedAgain(asked.approved))).map(({ id }) => id);
  await advanceHolder(
    context,
    agent,
    { moves: [agentMove(agent, event)] },
    { also: (tables) => tables.wakes.settle(told, "delivered", at) },
  );
  return false;
}

async function bounce(evaluation: Evaluation, missing: readonly Missing[]): Promise<Prompt | null> {
  const { context, agent, run, claim } = evaluation;
  const { maxBounces } = context.settingsOf(agent.repositoryId).evidence;
  const sentences = missing.map(missingSentence);
  const reason = sentences.join(" ");
  const spent = run.bounces >= maxBounces;
  const confidence = missing.find((item) => item.kind === "low_confidence")?.confidence ?? null;
  const failed = runMove(run, {
    ...by(evaluation),
    type: "EVALUATION_FAIL",
    missing: reason,
    maxBounces,
    confidence,
  });
  const escalated = agentMove(agent, {
    ...by(evaluation),
    type: "ESCALATE",
    reason: `it reported done ${maxBounces + 1} times, but the work is incomplete: ${missing.map(missingFact).join("; ")}.`,
    category: "evidence",
    question: null,
    breaker: "max_bounces",
  });
  const decided = missing.some(({ kind }) => kind === "tests_weakened");
  const told = (await ofReason(evaluation, judgedAgain(decided))).map(({ id }) => id);
  const { fenced } = await advanceHolder(
    context,
    agent,
    { moves: spent ? [failed, escalated] : [failed] },
    {
      also: (tables) => note(tables, agent.id, { nudges: 0 }),
      afterwards: async (tables) => {
        for (const item of missing)
          if (item.kind !== "tests_weakened") await tables.evidence.add(missingRow(evaluation, item));
        await tables.intents.settle(claim.row.id, "refused", reason);
      },
    },
  );
  if (spent || fenced) return null;
  const screens = screensNews(await context.store.screens.ofAgent(agent.id), claim.row.commit);
  return { text: [missingMessage(sentences, maxBounces - run.bounces), ...screens].join("\n\n"), told };
}

/**
 * Returns the messages that arrived while the agent made its claim: no message may stay unread when the agent
 * ends.
 */
async function unreadMessages(evaluation: Evaluation): Promise<Prompt | null> {
  const { context, agent, run, claim } = evaluation;
  const news = await ofReason(evaluation, ["message", "answer", "review"]);
  if (news.length === 0) return null;
  await advanceHolder(
    context,
    agent,
    { moves: [runMove(run, { ...by(evaluation), type: "NEXT_STEP" })] },
    {
      afterwards: (tables) =>
        tables.intents.settle(claim.row.id, "refused", "a person's message came before it"),
    },
  );
  return {
    text: `Your work is in order, but this came before your report:\n\n${wakesMessage(news)}\n\nDo what it asks, then report again.`,
    told: news.map(({ id }) => id),
  };
}

/**
 * Returns the reasons of the wakes that the new judgement of a claim uses up, since it already tells the agent what they
 * say. `decided`: a person has answered about the change's effect on the tests. Any other approval still reaches the
 * agent as a message.
 */
const judgedAgain = (decided: boolean): readonly WakeRow["reason"][] =>
  decided ? ["checks", "approval"] : ["checks"];

async function ofReason(
  { context, agent }: Evaluation,
  reasons: readonly WakeRow["reason"][],
): Promise<readonly WakeRow[]> {
  const pending = await context.store.wakes.pending(agent.id);
  return pending.filter(({ reason }) => reasons.includes(reason));
}

import { dayOf } from "../../domain/breakers/day-budget.ts";
import { notTaken } from "../../domain/commands/answered.ts";
import type { ChangeSet, Move } from "../../domain/kernel/change-set.ts";
import type { Refusal } from "../../domain/kernel/state-machine.ts";
import type { Milestone } from "../../domain/planning/milestone.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { detailOf } from "../agents/hand-on.ts";
import { setMarks } from "../agents/set-marks.ts";
import { tryAtOnce } from "../agents/try-at-once.ts";
import { issueEffect } from "../outbox/effect-rows.ts";
import { notifyPlanChanges } from "../planning/plan-notifications.ts";
import { followChange, followMilestone } from "../planning/sprint-membership.ts";
import { giveAnswer } from "../questions/answered.ts";
import { decideApproval } from "../questions/decide-approval.ts";
import { isHolder } from "../sessions/is-holder.ts";
import { schedulePullRefresh } from "../tasks/pull-facts.ts";
import { applyMove } from "./apply-move.ts";
import type { EngineContext } from "./engine-context.ts";
import { concernsAgent, recordDecision } from "./record-decision.ts";
import type { StepContext } from "./step-context.ts";

/** One fact and what follows from it. */
export interface TransitionRequest {
  readonly at: number;
  readonly repositoryId: number;
  readonly issue: number;
  /** The webhook delivery that told it; it is marked done in the same transaction. */
  readonly delivery: string | null;
  /**
   * What no other fact is called, and the same fact always is; it keys the effects of the reaction, so that none of
   * them is lost to another's and none is done twice. A delivery is its own; null where no effects follow.
   */
  readonly name: string | null;
  readonly reaction: ChangeSet;
  /** What GitHub shows as the issue's milestone; undefined where the fact does not tell. */
  readonly milestone?: Milestone | null;
  /** A milestone that was changed there. */
  readonly changedMilestone?: { readonly milestone: Milestone; readonly gone: boolean };
  /** What its moves rest on; kept with each of their transitions. */
  readonly evidence?: unknown;
  /** The issue or its repository is gone: nothing is shown there any more. */
  readonly gone?: boolean;
  /** In the name of this period of an agent: nothing at all happens when it is not ACTIVE under that token any more. */
  readonly holder?: { readonly agentId: number; readonly token: number };
  /** More database work of the same transaction, before the moves: settling an effect, noting a commit. */
  readonly also?: (tables: Tables) => Promise<void>;
  /** The same after the moves, told which of them were refused: settling an intent. */
  readonly afterwards?: (tables: Tables, refused: readonly Refusal[]) => Promise<void>;
}

export interface Advanced {
  /** Every move taken, emitted ones too, in order. */
  readonly moved: readonly {
    readonly machine: string;
    readonly event: string;
    readonly id: number;
    readonly to: string;
    readonly version: number;
  }[];
  readonly refused: readonly Refusal[];
  /** True when the fact's holder has moved on and nothing was done. */
  readonly fenced: boolean;
}

/**
 * The one write path. Steps every machine that the fact concerns until no event is left, and saves all snapshots, their
 * transition rows, effect rows, wakes and decisions in one transaction; a stale snapshot rolls all back.
 */
export async function advance(context: EngineContext, fact: TransitionRequest): Promise<Advanced> {
  const advanced = await context.store.transaction(async (tables) => {
    const { holder } = fact;
    if (holder !== undefined && !(await isHolder(tables, { id: holder.agentId, token: holder.token })))
      return { moved: [], refused: [], fenced: true };
    await fact.also?.(tables);
    const turn: StepContext = { context, tables, fact, moved: [], refused: [] };
    const takeOne = (move: Move): Promise<void> => applyMove(turn, move);
    await followChange(turn, takeOne);
    const follow = () => followMilestone(turn, takeOne);
    for (const move of fact.reaction.moves) {
      await takeOne(move);
      // Before its agent starts: a sprint at CHECKPOINT holds it.
      if (move.machine === "task" && move.event.type === "OPEN") await follow();
    }
    await follow();
    await notifyPlanChanges(turn);
    await schedulePullRefresh(turn);
    await fact.afterwards?.(tables, turn.refused);
    const [refusal] = turn.moved.length === 0 ? turn.refused : [];
    await addRows(
      context,
      tables,
      refusal === undefined ? fact : { ...fact, reaction: notTaken(fact.reaction, refusal) },
    );
    if (fact.delivery !== null) {
      await tables.deliveries.settle(fact.delivery, "done", null, fact.at);
      await tables.replayInputs.end(fact.delivery);
    }
    return { moved: turn.moved, refused: turn.refused, fenced: false };
  });
  context.crashPoint("fact:decided");
  const { wakes, effects, dayGrants, answers } = fact.reaction;
  for (const { costMicroUsd } of advanced.fenced ? [] : dayGrants)
    context.ledger.raise(fact.repositoryId, costMicroUsd, fact.at);
  if (!advanced.fenced) await tryAtOnce(context, fact.repositoryId, fact.reaction.tryNow);
  // A refusal alone is no change: a poke for it would offer the same again at once, for ever.
  if (!advanced.fenced && advanced.moved.length + wakes.length + effects.length + answers.length > 0)
    context.changed();
  return advanced;
}

async function addRows(context: EngineContext, tables: Tables, fact: TransitionRequest): Promise<void> {
  const { at, repositoryId, issue, delivery, reaction } = fact;
  for (const wish of reaction.wakes) {
    const { blocker: _, ...wake } = wish;
    await tables.wakes.add({ ...wake, detail: await detailOf(tables, wish), createdAt: at });
  }
  const told = reaction.effects.some(({ kind }) => kind === "status_comment");
  for (const decision of reaction.decisions) {
    const row = { ...decision, at, repositoryId, issue, delivery };
    await recordDecision(tables, row, !told && concernsAgent(row));
  }
  for (const { by, ...grant } of reaction.dayGrants)
    await tables.budget.grant({ ...grant, grantedBy: by, repositoryId, issue, day: dayOf(at), at });
  for (const verdict of reaction.approvals) await decideApproval(context, tables, verdict, at);
  for (const answer of reaction.answers) await giveAnswer(tables, fact, answer);
  for (const wish of reaction.marks) await setMarks(tables, wish);
  if (reaction.effects.length === 0) return;
  const name = delivery ?? fact.name;
  if (name === null) throw new Error("a fact that nothing names has effects; give it a name of its own");
  await tables.effects.add(
    reaction.effects.map((effect, index) => ({
      ...issueEffect({ repositoryId, issue, effect, at }),
      key: `${name}:${repositoryId}#${issue}:${index}:${effect.kind}`,
    })),
  );
}

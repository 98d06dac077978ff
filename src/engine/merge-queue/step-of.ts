import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { type MergeQueueFacts, type MergeQueueStep, nextStep } from "../../domain/merge-queue/next-step.ts";
import type { Refused } from "../../domain/merge-queue/refusal.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Outcome } from "../outbox/execution.ts";
import { holdsOnIssue } from "../status/holds-around.ts";
import { entriesOf, type MergeQueueEntry } from "./entries.ts";
import { mergeQueueFacts, mergesIssue } from "./facts.ts";

const NO_PULL: MergeQueueStep = {
  kind: "wait",
  why: "it has no pull request",
  change: "open one from its branch",
};

/** Returns the next step for the entry whose turn it is, from facts read now. */
export async function stepOf(
  context: EngineContext,
  repository: RepositoryRow,
  given: { readonly entry: MergeQueueEntry; readonly merges: boolean },
): Promise<{ readonly facts: MergeQueueFacts | null; readonly step: MergeQueueStep }> {
  const facts = await mergeQueueFacts(context, repository, given);
  return { facts, step: facts === null ? NO_PULL : nextStep(facts) };
}

/**
 * Returns the facts while the step decided earlier is still the right one; otherwise an outcome that requests a
 * refresh of the queue. Much can change between the decision and a late try. `by` = the person who asked for the step:
 * they merge where Flotilla does not by itself.
 */
export async function stillDue(
  context: EngineContext,
  repository: RepositoryRow,
  {
    kind,
    task,
    by,
  }: { readonly kind: MergeQueueStep["kind"]; readonly task: number; readonly by?: string | undefined },
): Promise<{ readonly outdated: Outcome } | { readonly outdated: null; readonly facts: MergeQueueFacts }> {
  const [entry] = await entriesOf(context, repository, task);
  if (entry === undefined) return { outdated: skippedStep("gone") };
  const merges = await mergesIssue(context, repository, entry.task.issue);
  if (!merges && by === undefined) return { outdated: skippedStep("left to people") };
  const { facts, step } = await stepOf(context, repository, { entry, merges: merges && by === undefined });
  if (facts?.merges === false && by === undefined) return { outdated: skippedStep("left to people") };
  if (facts === null || step.kind !== kind) return { outdated: skippedStep(step.kind) };
  return { outdated: null, facts };
}

/**
 * Returns the outcome of a refused step. The queue is refreshed at once: it reports why this task waits, and
 * others go first.
 */
export function refusedStep(why: string): Outcome {
  const result: Refused = { kind: "refused", why };
  return { result, changes: { effects: [{ kind: "look_at_train" }] } };
}

/**
 * Returns null while nothing holds the work. Call it last, right before a write, because somebody may pause
 * the work while GitHub is read.
 */
export async function heldStep(context: EngineContext, task: TaskRecord): Promise<Outcome | null> {
  return (await holdsOnIssue(context, task)).length > 0 ? skippedStep("held") : null;
}

/** Returns the outcome of a step that is not taken; the queue is refreshed. */
export function skippedStep(now: string): Outcome {
  return { result: { kind: "over", now }, changes: { effects: [{ kind: "look_at_train" }] } };
}

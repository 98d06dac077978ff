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

/** What is to be done for work whose turn it is, by what is known now. */
export async function stepOf(
  context: EngineContext,
  repository: RepositoryRow,
  given: { readonly entry: MergeQueueEntry; readonly merges: boolean },
): Promise<{ readonly facts: MergeQueueFacts | null; readonly step: MergeQueueStep }> {
  const facts = await mergeQueueFacts(context, repository, given);
  return { facts, step: facts === null ? NO_PULL : nextStep(facts) };
}

/**
 * Null where a step that was decided at a look is still the one to take. A try may come long after its look, and much
 * can change meanwhile: then the train is looked at again.
 */
export async function unlessStill(
  context: EngineContext,
  repository: RepositoryRow,
  { kind, task }: { readonly kind: MergeQueueStep["kind"]; readonly task: number },
): Promise<Outcome | null> {
  const [entry] = await entriesOf(context, repository, task);
  if (entry === undefined) return over("gone");
  const merges = await mergesIssue(context, repository, entry.task.issue);
  if (!merges) return over("left to people");
  const { step } = await stepOf(context, repository, { entry, merges });
  return step.kind === kind ? null : over(step.kind);
}

/** The train is looked at again at once: it says why this one waits, and others go first. */
export function refusedBy(why: string): Outcome {
  const result: Refused = { kind: "refused", why };
  return { result, reaction: { effects: [{ kind: "look_at_train" }] } };
}

/**
 * Null where nothing holds the work at this moment; asked last, right before a write. Somebody may pause it while GitHub
 * is asked.
 */
export async function unlessHeld(context: EngineContext, task: TaskRecord): Promise<Outcome | null> {
  return (await holdsOnIssue(context, task)).length > 0 ? over("held") : null;
}

/** The step is not taken; the train is looked at again. */
export function over(now: string): Outcome {
  return { result: { kind: "over", now }, reaction: { effects: [{ kind: "look_at_train" }] } };
}

import type { RepositoryRow } from "../../core/rows.ts";
import { nextStep, type TrainFacts, type TrainStep } from "../../core/train/next-step.ts";
import type { EngineContext } from "../context.ts";
import type { Outcome } from "../effects/execution.ts";
import { carsOf, type TrainCar } from "./cars.ts";
import { mergesIssue, trainFacts } from "./facts.ts";

const NO_PULL: TrainStep = {
  kind: "wait",
  why: "it has no pull request",
  change: "open one from its branch",
};

/** What is to be done for work whose turn it is, by what is known now. */
export async function stepOf(
  context: EngineContext,
  repository: RepositoryRow,
  given: { readonly car: TrainCar; readonly merges: boolean },
): Promise<{ readonly facts: TrainFacts | null; readonly step: TrainStep }> {
  const facts = await trainFacts(context, repository, given);
  return { facts, step: facts === null ? NO_PULL : nextStep(facts) };
}

/**
 * Null where a step that was decided at a look is still the one to take. A try may come long after its look, and much
 * can change meanwhile: then the train is looked at again.
 */
export async function unlessStill(
  context: EngineContext,
  repository: RepositoryRow,
  { kind, task }: { readonly kind: TrainStep["kind"]; readonly task: number },
): Promise<Outcome | null> {
  const [car] = await carsOf(context, repository, task);
  if (car === undefined) return over("gone");
  const merges = await mergesIssue(context, repository, car.task.issue);
  if (!merges) return over("left to people");
  const { step } = await stepOf(context, repository, { car, merges });
  return step.kind === kind ? null : over(step.kind);
}

function over(now: string): Outcome {
  return { result: { kind: "over", now }, reaction: { effects: [{ kind: "look_at_train" }] } };
}

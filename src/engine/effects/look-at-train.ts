import type { DecisionRule } from "../../core/decisions/rules.ts";
import type { Effect } from "../../core/effect.ts";
import type { Tables } from "../../core/ports/store.ts";
import { joined, NOTHING, type Reaction } from "../../core/reaction.ts";
import type { EffectRow, RepositoryRow } from "../../core/rows.ts";
import { behindWords, conflictBehindWords, mergeRequest, turnWords } from "../../core/text/merge-words.ts";
import { integrationFailed } from "../../core/train/integration-failed.ts";
import { conflictReason, type TrainStep } from "../../core/train/next-step.ts";
import { waitsBehind } from "../../core/train/queue.ts";
import type { EngineContext } from "../context.ts";
import { issueEffect } from "../effect-rows.ts";
import { viewOfIssue } from "../handle.ts";
import { recordDecision } from "../record-decision.ts";
import { note } from "../settle.ts";
import { carsOf, type TrainCar } from "../train/cars.ts";
import { mergesIssue } from "../train/facts.ts";
import { failuresOf } from "../train/failures-of.ts";
import { stepOf } from "../train/step-of.ts";
import type { Executor } from "./execution.ts";

/** What follows for one task; the fact is filed under the issue of another perhaps, so its own rows are written apart. */
interface Followed {
  readonly step: string;
  readonly reaction?: Reaction;
  readonly also?: (tables: Tables) => Promise<void>;
}

/**
 * Goes through the train from the front until one step is taken. Where people merge, asks them once for each commit, and
 * sends back to its coder what cannot be merged.
 */
export const lookAtTrain: Executor<"look_at_train"> = async ({ context, repository, row }) => {
  const cars = await carsOf(context, repository);
  const all: Followed[] = [];
  const standing = new Set<number>();
  let front: TrainCar | null = null;
  for (const car of cars.filter(({ task }) => task.state === "APPROVED")) {
    const ahead = cars.map((one) => ({ ...one, stands: one.stands || standing.has(one.taskId) }));
    const auto = await mergesIssue(context, repository, car.task.issue);
    const older = waitsBehind(car, ahead);
    const before = auto ? older : null;
    if (before !== null || front !== null) {
      const said = before === null ? turnWords(front?.task.issue ?? 0) : behindWords(before.issue);
      all.push(decides(context, car, { rule: "merge_waits", ...said }));
      continue;
    }
    if (!auto) {
      const known = await knownBefore(context, repository, { car, older });
      if (known !== null) {
        all.push(known);
        continue;
      }
    }
    const { facts, step } = await stepOf(context, repository, { car, merges: auto });
    if (!auto && facts !== null && !FOLLOWED.includes(step.kind)) {
      all.push(await asks(context, car, mergeRequest(facts, step, car.task.verdicts)));
      continue;
    }
    all.push(await follows(context, repository, { car, step, row }));
    if (step.kind === "wait" || step.kind === "rejected") standing.add(car.taskId);
    else if (step.kind === "wait_checks") front = car;
    else break;
  }
  return {
    result: { steps: all.map(({ step }) => step) },
    reaction: joined(...all.map(({ reaction }) => reaction ?? NOTHING)),
    also: async (tables) => {
      for (const { also } of all) await also?.(tables);
    },
  };
};

/** Steps that Flotilla takes where people merge, too: nothing of them is a merge. */
const FOLLOWED: readonly TrainStep["kind"][] = ["carry", "merged", "fail", "rejected"];

/** Where people merge: what needs no look at GitHub, since git and the database say it; null where it must be looked at. */
async function knownBefore(
  context: EngineContext,
  { id, defaultBranch: base }: RepositoryRow,
  { car, older }: { readonly car: TrainCar; readonly older: TrainCar | null },
): Promise<Followed | null> {
  const { task, coder, standing } = car;
  const { conflicts: files } = standing;
  if (standing.head === null || standing.head !== task.reviewCommit) return null;
  if (files.length > 0) {
    if (older === null) return null;
    const reason = conflictReason(coder.prNumber, { base, commit: standing.base, files });
    return decides(context, car, { rule: "merge_waits", ...conflictBehindWords(reason, older.issue) });
  }
  const seen = await context.store.checks.ofRef(id, standing.head);
  if (seen.some(({ state }) => state === "red") || !(await wasAsked(context, car))) return null;
  return { step: `asked before #${task.issue}` };
}

async function follows(
  context: EngineContext,
  repository: RepositoryRow,
  { car, step, row }: { readonly car: TrainCar; readonly step: TrainStep; readonly row: EffectRow },
): Promise<Followed> {
  const { task, coder } = car;
  const at = context.clock.now();
  const named = `${step.kind} #${task.issue}`;
  const head = task.reviewCommit ?? "";
  switch (step.kind) {
    case "carry": {
      const { commit } = step;
      const event = { type: "NEW_COMMIT", at, actor: "flotilla", commit, sameWork: head } as const;
      return {
        step: named,
        reaction: { ...NOTHING, moves: [{ machine: "task", id: task.id, event }] },
        also: (tables) => note(tables, coder.id, { headCommit: commit }),
      };
    }
    case "update":
      return adds(car, { row, at }, { kind: "update_branch", task: task.id, head });
    case "merge":
      return adds(car, { row, at }, { kind: "merge_pull", task: task.id, pull: coder.prNumber ?? 0, head });
    case "fail": {
      const { cause, reason, detail } = step;
      const view = await viewOfIssue(context, repository, task.issue);
      const earlier = await failuresOf(context.store, task);
      return { step: named, reaction: integrationFailed(view, task, { at, cause, reason, detail, earlier }) };
    }
    case "merged":
      return { step: named };
    case "rejected": {
      const said = decides(context, car, { rule: "merge_waits", reason: step.why, change: step.change });
      const look = adds(car, { row, at }, { kind: "look_at_issue" });
      return {
        step: named,
        also: async (tables) => {
          await said.also?.(tables);
          await look.also?.(tables);
        },
      };
    }
    case "wait_checks":
    case "wait": {
      const change = step.kind === "wait" ? step.change : "it continues automatically when they are green";
      return decides(context, car, { rule: "merge_waits", reason: step.why, change });
    }
  }
}

/** The next effect of the train, of the car's own issue. */
function adds(
  { task }: TrainCar,
  { row, at }: { readonly row: EffectRow; readonly at: number },
  effect: Effect,
): Followed {
  const { repositoryId, issue } = task;
  const added = {
    ...issueEffect({ repositoryId, issue, effect, at }),
    key: `${row.key}:${effect.kind}:${row.id}`,
  };
  return {
    step: `${effect.kind} #${issue}`,
    also: async (tables) => void (await tables.effects.add([added])),
  };
}

interface Said {
  readonly rule: DecisionRule;
  readonly reason: string;
  readonly change: string;
}

function decides(
  context: EngineContext,
  { task, coder }: TrainCar,
  { rule, reason, change }: Said,
): Followed {
  const { repositoryId, issue, reviewCommit: commit } = task;
  const at = context.clock.now();
  const about = { at, lastAt: at, repositoryId, issue, agentId: coder.id, delivery: null };
  const row = { ...about, rule, reason, change, inputs: { commit } };
  return { step: `${rule} #${issue}`, also: (tables) => recordDecision(tables, row, true) };
}

/** Once for each approved commit. */
async function asks(context: EngineContext, car: TrainCar, said: Omit<Said, "rule">): Promise<Followed> {
  return (await wasAsked(context, car))
    ? { step: `asked before #${car.task.issue}` }
    : decides(context, car, { rule: "merge_asked", ...said });
}

/** People were asked to merge this commit, and nothing was said against it since. */
async function wasAsked(context: EngineContext, { task }: TrainCar): Promise<boolean> {
  const { repositoryId, issue, reviewCommit } = task;
  const decisions = await context.store.decisions.ofIssue(repositoryId, issue, 100);
  const last = decisions.find(
    ({ rule, inputs }) =>
      (rule === "merge_asked" || rule === "merge_waits") &&
      typeof inputs === "object" &&
      inputs !== null &&
      Reflect.get(inputs, "commit") === reviewCommit,
  );
  return last?.rule === "merge_asked";
}

import { type DecisionRule, wordsOf } from "../../domain/decisions/rules.ts";
import { type ChangeSet, mergeChanges, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import type { Effect } from "../../domain/kernel/effect.ts";
import type { EffectRow, RepositoryRow } from "../../domain/kernel/rows.ts";
import { integrationFailed } from "../../domain/merge-queue/integration-failed.ts";
import {
  behindWords,
  conflictBehindWords,
  lowRiskWords,
  mergeRequest,
  turnWords,
} from "../../domain/merge-queue/merge-text.ts";
import {
  conflictReason,
  type MergeQueueFacts,
  type MergeQueueStep,
} from "../../domain/merge-queue/next-step.ts";
import { waitsBehind } from "../../domain/merge-queue/queue.ts";
import type { LimitedRisk } from "../../domain/merge-queue/risk.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { baseBranch } from "../../domain/tasks/base-branch.ts";
import { readIssueState } from "../events/issue-state.ts";
import { note } from "../kernel/advance-agent.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { recordDecision } from "../kernel/record-decision.ts";
import type { Executor } from "../outbox/execution.ts";
import { entriesOf, type MergeQueueEntry } from "./entries.ts";
import { mergesIssue } from "./facts.ts";
import { failuresOf } from "./failures-of.ts";
import { addedToQueue } from "./github-queue.ts";
import { keepsRisk } from "./keep-risk.ts";
import { stepOf } from "./step-of.ts";

/**
 * The result for one task. The request may be filed under another issue, so the task's own rows are in
 * `also`.
 */
interface Followed {
  readonly step: string;
  readonly changes?: ChangeSet;
  readonly also?: (tables: Tables) => Promise<void>;
}

/**
 * Works through the merge queue of each base branch from the front until one step is taken. Where people merge, asks
 * them once per commit, and returns work that cannot be merged to its coder.
 */
export const advanceMergeQueue: Executor<"look_at_train"> = async ({ context, repository, row }) => {
  const entries = await entriesOf(context, repository);
  const all: Followed[] = [];
  const stopped = new Set<number>();
  /** Of each base branch: the entry that the others wait for. */
  const fronts = new Map<string | null, MergeQueueEntry>();
  for (const entry of entries.filter(({ task }) => task.state === "APPROVED")) {
    const ahead = entries.map((one) => ({ ...one, stopped: one.stopped || stopped.has(one.taskId) }));
    const auto = await mergesIssue(context, repository, entry.task.issue);
    const older = waitsBehind(entry, ahead);
    const before = auto ? older : null;
    const front = fronts.get(entry.base);
    if (before !== null || front !== undefined) {
      const said = before === null ? turnWords(front?.task.issue ?? 0) : behindWords(before.issue);
      all.push(decides(context, entry, { rule: "merge_waits", ...said }));
      continue;
    }
    const at = context.clock.now();
    const keep = (also: ReturnType<typeof keepsRisk>) => {
      if (also !== null) all.push({ step: `risk #${entry.task.issue}`, also });
    };
    if (!auto) {
      keep(keepsRisk(entry.task, null, { row, at }));
      const known = await knownBefore(context, repository, { entry, older });
      if (known !== null) {
        all.push(known);
        continue;
      }
    }
    const { facts, step } = await stepOf(context, repository, { entry, merges: auto });
    if (auto && facts !== null) keep(keepsRisk(entry.task, facts.risk ?? null, { row, at }));
    if (facts?.merges === false && !FOLLOWED.includes(step.kind)) {
      all.push(await asks(context, entry, { facts, step }));
      // Nobody knows when the person comes: other work on the same files goes first.
      if (auto) stopped.add(entry.taskId);
      continue;
    }
    all.push(await follows(context, repository, { entry, step, row }));
    if (step.kind === "merge" && facts?.risk !== undefined) all.push(saysLowRisk(context, entry, facts.risk));
    if (facts !== null) all.push(...(await leaves(context, { entry, facts, step, row })));
    if (["wait", "in_queue", "rejected"].includes(step.kind)) stopped.add(entry.taskId);
    else if (step.kind === "wait_checks") fronts.set(entry.base, entry);
    else if (step.kind !== "merged") break;
  }
  return {
    result: { steps: all.map(({ step }) => step) },
    changes: mergeChanges(...all.map(({ changes }) => changes ?? NO_CHANGES)),
    also: async (tables) => {
      for (const { also } of all) await also?.(tables);
    },
  };
};

/** Steps that Flotilla takes even where people merge: none of them is a merge. */
const FOLLOWED: readonly MergeQueueStep["kind"][] = ["carry", "merged", "fail", "rejected"];

/**
 * Where people merge: returns the result that git and the database determine without GitHub; null where
 * GitHub must be read.
 */
async function knownBefore(
  context: EngineContext,
  repository: RepositoryRow,
  { entry, older }: { readonly entry: MergeQueueEntry; readonly older: MergeQueueEntry | null },
): Promise<Followed | null> {
  const { task, coder, comparison } = entry;
  const { conflicts: files } = comparison;
  const base = baseBranch(task, repository);
  if (comparison.head === null || comparison.head !== task.reviewCommit) return null;
  if (files.length > 0) {
    if (older === null) return null;
    const reason = conflictReason(coder.prNumber, { base, commit: comparison.base, files });
    return decides(context, entry, { rule: "merge_waits", ...conflictBehindWords(reason, older.issue) });
  }
  const seen = await context.store.checks.ofRef(repository.id, comparison.head);
  if (seen.some(({ state }) => state === "red") || !(await wasAsked(context, entry, null))) return null;
  return { step: `asked before #${task.issue}` };
}

async function follows(
  context: EngineContext,
  repository: RepositoryRow,
  {
    entry,
    step,
    row,
  }: { readonly entry: MergeQueueEntry; readonly step: MergeQueueStep; readonly row: EffectRow },
): Promise<Followed> {
  const { task, coder, comparison } = entry;
  const { base } = comparison;
  const at = context.clock.now();
  const named = `${step.kind} #${task.issue}`;
  const head = task.reviewCommit ?? "";
  switch (step.kind) {
    case "carry": {
      const { commit } = step;
      const event = { type: "NEW_COMMIT", at, actor: "flotilla", commit, sameWork: head } as const;
      return {
        step: named,
        changes: { ...NO_CHANGES, moves: [{ machine: "task", id: task.id, event }] },
        also: (tables) => note(tables, coder.id, { headCommit: commit }),
      };
    }
    case "update":
      return adds(entry, { row, at }, { kind: "update_branch", task: task.id, head, base });
    case "merge":
      return adds(
        entry,
        { row, at },
        { kind: "merge_pull", task: task.id, pull: coder.prNumber ?? 0, head, base },
      );
    case "fail": {
      const { cause, reason, detail } = step;
      const view = await readIssueState(context, repository, task.issue);
      const earlier = await failuresOf(context.store, task);
      return { step: named, changes: integrationFailed(view, task, { at, cause, reason, detail, earlier }) };
    }
    case "merged":
      return { step: named };
    case "rejected": {
      const said = decides(context, entry, { rule: "merge_waits", reason: step.why, change: step.change });
      const refresh = adds(entry, { row, at }, { kind: "look_at_issue" });
      return {
        step: named,
        also: async (tables) => {
          await said.also?.(tables);
          await refresh.also?.(tables);
        },
      };
    }
    case "wait_checks":
    case "in_queue":
    case "wait": {
      const change =
        step.kind !== "wait_checks" ? step.change : "it continues automatically when they are green";
      return decides(context, entry, { rule: "merge_waits", reason: step.why, change });
    }
  }
}

/** Takes work out of GitHub's queue that Flotilla has added, once something speaks against its merge. */
async function leaves(
  { store, clock }: EngineContext,
  {
    entry,
    facts,
    step,
    row,
  }: {
    readonly entry: MergeQueueEntry;
    readonly facts: MergeQueueFacts;
    readonly step: MergeQueueStep;
    readonly row: EffectRow;
  },
): Promise<readonly Followed[]> {
  if (facts.queue?.isIn !== true || !["wait", "rejected"].includes(step.kind)) return [];
  const added = await addedToQueue(store, entry.task);
  return added === null ? [] : [adds(entry, { row, at: clock.now() }, { ...added, leave: true })];
}

/** Returns the next effect of the merge queue for the entry's own issue and coder. */
function adds(
  { task, coder }: MergeQueueEntry,
  { row, at }: { readonly row: EffectRow; readonly at: number },
  effect: Effect,
): Followed {
  const { repositoryId, issue } = task;
  const added = {
    ...issueEffect({ repositoryId, issue, effect, at }),
    agentId: coder.id,
    key: `${row.key}:${effect.kind}-${task.id}:${row.id}`,
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
  /** The score for which a person merges; null for other reasons. */
  readonly risk?: number | null;
}

/** Records why Flotilla may merge the work without a person. */
function saysLowRisk(context: EngineContext, entry: MergeQueueEntry, risk: LimitedRisk): Followed {
  const reason = lowRiskWords(entry.coder.prNumber, risk);
  return decides(context, entry, { rule: "merge_risk", reason, change: wordsOf("merge_risk").next });
}

function decides(
  context: EngineContext,
  { task, coder }: MergeQueueEntry,
  { rule, reason, change, risk = null }: Said,
): Followed {
  const { repositoryId, issue, reviewCommit: commit } = task;
  const at = context.clock.now();
  const about = { at, lastAt: at, repositoryId, issue, agentId: coder.id, delivery: null };
  const row = { ...about, rule, reason, change, inputs: { commit, risk } };
  return { step: `${rule} #${issue}`, also: (tables) => recordDecision(tables, row, true) };
}

/** Asks people to merge, once per approved commit and risk. */
async function asks(
  context: EngineContext,
  entry: MergeQueueEntry,
  { facts, step }: { readonly facts: MergeQueueFacts; readonly step: MergeQueueStep },
): Promise<Followed> {
  const risk = facts.risk?.score ?? null;
  if (await wasAsked(context, entry, risk)) return { step: `asked before #${entry.task.issue}` };
  const said = mergeRequest(facts, step, entry.task.verdicts);
  return decides(context, entry, { rule: "merge_asked", ...said, risk });
}

/** Returns whether people were asked to merge this commit with this risk and nothing has objected since. */
async function wasAsked(
  context: EngineContext,
  { task }: MergeQueueEntry,
  risk: number | null,
): Promise<boolean> {
  const { repositoryId, issue, reviewCommit } = task;
  const decisions = await context.store.decisions.ofIssue(repositoryId, issue, 100);
  const last = decisions.find(
    ({ rule, inputs }) =>
      (rule === "merge_asked" || rule === "merge_waits") && Object(inputs).commit === reviewCommit,
  );
  return last?.rule === "merge_asked" && (Object(last.inputs).risk ?? null) === risk;
}

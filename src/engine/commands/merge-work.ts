import { goesAsFarAs } from "../../domain/access/level.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { MergeQueueStep } from "../../domain/merge-queue/next-step.ts";
import { refusalOf } from "../../domain/merge-queue/refusal.ts";
import { operatorTouch } from "../../domain/reporting/operator-touch.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { entriesOf } from "../merge-queue/entries.ts";
import { ADDED } from "../merge-queue/github-queue.ts";
import { stepOf } from "../merge-queue/step-of.ts";
import { levelOn } from "../outbox/level-guard.ts";
import { repositoryNamed } from "./repository-named.ts";

/** How long a person waits for GitHub; afterwards the outbox continues. */
const WAIT_MS = 15_000;

/** A person's wish that the approved work of an issue is merged. */
export interface MergeRequest {
  /** `owner/name`. */
  readonly repository: string;
  readonly issue: number;
  /** Chosen by the caller and unique: a repeated id merges once. */
  readonly id: string;
  /** A login, or `operator:<account>`. */
  readonly by: string;
}

export interface MergeAnswer {
  readonly pull: number;
  /** False while GitHub takes longer. */
  readonly merged: boolean;
}

/**
 * Merges approved work because a person says so, by the same facts and the same effect as the merge queue. Throws
 * `OperationError` with what keeps it from being merged.
 */
export async function mergeWork(
  context: EngineContext,
  settled: (effectId: number, withinMs: number) => Promise<void>,
  { repository: name, issue, id, by }: MergeRequest,
): Promise<MergeAnswer> {
  const { store, clock, changed } = context;
  const repository = await repositoryNamed(store, name);
  const task = (await store.records.find("task", { repositoryId: repository.id, issue })).at(-1);
  if (task?.state !== "APPROVED")
    throw new OperationError({
      code: "not_steered",
      why: `the work of #${issue} is not approved${task === undefined ? "" : `, it is ${task.state}`}`,
      hint: "approve its pull request first",
    });
  const level = await levelOn(context, repository, issue);
  if (!goesAsFarAs(level, "merge"))
    throw new OperationError({
      code: "not_steered",
      why: `Flotilla may not merge here: the level is ${level}`,
      hint: "merge the pull request on GitHub, or raise `level` to `merge`",
    });
  const [entry] = await entriesOf(context, repository, task.id);
  const { facts, step } =
    entry === undefined
      ? { facts: null, step: null }
      : await stepOf(context, repository, { entry, merges: false });
  if (entry === undefined || facts === null || step?.kind !== "merge")
    throw new OperationError({ code: "not_steered", ...obstacle(step) });
  const { number: pull } = facts.pull;
  const at = clock.now();
  const head = facts.reviewCommit;
  const effect = { kind: "merge_pull", task: task.id, pull, head, base: facts.comparison.base, by } as const;
  const row = { ...issueEffect({ repositoryId: repository.id, issue, effect, at }), agentId: entry.coder.id };
  const added = await store.transaction(async ({ effects, ledger }) => {
    await ledger.touch(operatorTouch({ repositoryId: repository.id, issue }, "command", { act: id, at }));
    return (await effects.add([{ ...row, key: `operator:${id}:merge_pull:${task.id}` }]))[0];
  });
  if (added === undefined) throw new Error("an effect that is added has no id");
  changed();
  await settled(added, WAIT_MS);
  return { pull, merged: isMerged(await store.effects.get(added)) };
}

/** Returns whether it is merged; false while it is under way. Throws why it was not merged. */
function isMerged(row: EffectRow | undefined): boolean {
  if (row === undefined || row.state === "pending" || row.state === "leased") return false;
  const { kind } = Object(row.result);
  if (row.state === "done" && (kind === "merged" || kind === "merged_by_person")) return true;
  // GitHub's own merge queue has it, and takes its time.
  if (row.state === "done" && kind === ADDED.kind) return false;
  const refusal = refusalOf(row, undefined);
  throw new OperationError({
    code: "not_steered",
    why: refusal?.why ?? "it changed before it could be merged",
    hint:
      refusal === null
        ? "look at the pull request, and ask again"
        : "fix what this names, or merge it on GitHub",
  });
}

/** Returns what keeps the work from being merged, and what to do about it. */
function obstacle(step: MergeQueueStep | null): { readonly why: string; readonly hint: string } {
  switch (step?.kind) {
    case "in_queue":
    case "wait":
    case "rejected":
      return { why: step.why, hint: step.change };
    case "wait_checks":
      return { why: step.why, hint: "merge it when they are green" };
    case "fail":
      return { why: step.reason, hint: "its coder fixes that; merge it then" };
    case "merged":
      return { why: "it is merged already", hint: "nothing is left to do" };
    default:
      return { why: "its branch cannot be merged as it is", hint: "look at its pull request on GitHub" };
  }
}

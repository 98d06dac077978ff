import type { Effect } from "../../domain/kernel/effect.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import { isAbove, type LimitedRisk } from "../../domain/merge-queue/risk.ts";
import type { RiskAbove } from "../../domain/merge-queue/risk-above.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { issueEffect } from "../kernel/effect-rows.ts";

/**
 * Returns what keeps the risk of approved work for everything that people read, while that commit is approved; null
 * where nothing changes. Only a risk above its limit is kept: for other work Flotilla acts.
 */
export function keepsRisk(
  task: TaskRecord,
  risk: LimitedRisk | null,
  { row, at }: { readonly row: EffectRow; readonly at: number },
): ((tables: Tables) => Promise<void>) | null {
  const commit = task.reviewCommit;
  const above: RiskAbove | null =
    risk !== null && commit !== null && isAbove(risk)
      ? { commit, score: risk.score, most: risk.most, reasons: [...risk.reasons] }
      : null;
  if (JSON.stringify(above) === JSON.stringify(task.riskAbove)) return null;
  return async (tables) => {
    const now = await tables.records.get("task", task.id);
    if (now?.state !== "APPROVED" || now.reviewCommit !== commit) return;
    await tables.records.save("task", now, { ...now, riskAbove: above });
    const verdicts = await tables.verdicts.ofTask(task.id);
    const verdict = verdicts.findLast((one) => one.state === "current" && one.commit === commit);
    const effects: readonly Effect[] = [
      { kind: "status_comment" },
      { kind: "task_label" },
      ...(verdict === undefined
        ? []
        : [{ kind: "publish_verdict", verdict: verdict.id, onlyCheck: true } as const]),
    ];
    const { repositoryId, issue } = task;
    await tables.effects.add(
      effects.map((effect) => ({
        ...issueEffect({ repositoryId, issue, effect, at }),
        key: `${row.key}:risk-${task.id}:${effect.kind}:${row.id}`,
      })),
    );
  };
}

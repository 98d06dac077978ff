import { operatorTouch } from "../../core/ledger/operator-touch.ts";
import { OperationError } from "../../core/operation-fault.ts";
import type { EngineContext } from "../context.ts";

/**
 * Tries an act once more that was given up. It may have been carried out all the same, so it is looked for first; one
 * whose agent has moved on since is skipped, as ever. Throws `OperationError` not_found.
 */
export async function replayEffect(
  { store, clock, changed }: Pick<EngineContext, "store" | "clock" | "changed">,
  wish: { readonly effect: number; readonly by: string },
): Promise<{ readonly kind: string }> {
  const row = await store.effects.get(wish.effect);
  const replayed =
    row !== undefined &&
    (await store.transaction(async ({ effects, decisions, ledger }) => {
      if (!(await effects.replay(row.id))) return false;
      const { repositoryId, issue, agentId, kind, error } = row;
      await decisions.add({
        at: clock.now(),
        repositoryId,
        issue,
        agentId,
        rule: "replayed",
        reason: `${wish.by} has ${kind} tried again, which had failed: ${error ?? "no error was kept"}`,
        change: null,
        inputs: { effect: row.key, by: wish.by },
        delivery: null,
      });
      // Each time that it failed is another reason to come.
      const at = clock.now();
      await ledger.touch(operatorTouch(row, "command", { act: `replay:${row.key}:${at}`, at }));
      return true;
    }));
  if (!replayed) throw new OperationError({ code: "not_found", what: `failed effect ${wish.effect}` });
  changed();
  return { kind: row.kind };
}

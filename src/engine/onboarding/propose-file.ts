import { OperationError } from "../../domain/commands/operation-fault.ts";
import type { EffectOf } from "../../domain/kernel/effect.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Longest time that the operator waits for GitHub; afterwards the outbox continues. */
const WAIT_MS = 60_000;

export interface ConfigProposal extends Omit<EffectOf<"propose_file">, "kind"> {
  readonly repositoryId: number;
  readonly by: string;
}

/** A pull request; null where GitHub did not answer in time or the file exists by now. */
export interface ProposedPull {
  readonly number: number;
  readonly url: string;
}

/**
 * Queues the effect that proposes the file, and waits for it. Waits for one under way. Retries a failed one that
 * proposes the very same, because its remains are its own. Throws `OperationError` not_proposed with the
 * obstacle.
 */
export async function proposeFile(
  context: EngineContext,
  settled: (effectId: number, withinMs: number) => Promise<void>,
  { repositoryId, by, ...file }: ConfigProposal,
): Promise<ProposedPull | null> {
  const { store, clock, changed } = context;
  const at = clock.now();
  const id = await store.transaction(async ({ effects, decisions }) => {
    const effect = { kind: "propose_file", ...file } as const;
    const row = issueEffect({ repositoryId, issue: 0, effect, at });
    const earlier = await effects.find({ kind: "propose_file", lane: row.lane });
    const last = earlier.at(-1);
    if (last?.state === "pending" || last?.state === "leased") return last.id;
    if (last?.state === "failed" && isSame(last, effect) && (await effects.replay(last.id))) return last.id;
    const [added] = await effects.add([{ ...row, key: `onboard:${repositoryId}:${earlier.length + 1}` }]);
    await decisions.add({
      at,
      repositoryId,
      issue: 0,
      agentId: null,
      rule: "file_proposed",
      reason: `${by} has ${file.path} proposed from ${file.branch}`,
      change: null,
      inputs: { by, branch: file.branch },
      delivery: null,
    });
    return added;
  });
  if (id === undefined) throw new Error("an effect that is added has no id");
  changed();
  await settled(id, WAIT_MS);
  return outcomeOf(context, await store.effects.get(id));
}

async function outcomeOf({ store }: EngineContext, row: EffectRow | undefined): Promise<ProposedPull | null> {
  if (row?.state === "done") {
    const { number, url, there } = Object(row.result);
    if (typeof number === "number" && typeof url === "string") return { number, url };
    const why = `${String(there)} is on the default branch by now`;
    throw new OperationError({ code: "not_proposed", why, hint: "nothing to propose: change that file" });
  }
  if (row?.state === "failed" || row?.state === "skipped") {
    const told = await store.decisions.ofIssue(row.repositoryId, 0, 20);
    const decision = told.find(
      ({ rule, inputs }) => rule === "effect_failed" && Object(inputs).effect === row.key,
    );
    const why = row.error ?? "it did not come about";
    const hint = decision?.change ?? "fix what this names, then ask again";
    throw new OperationError({ code: "not_proposed", why, hint });
  }
  return null;
}

/** The texts count, too: since the last try, other commands may have succeeded. */
function isSame({ payload }: EffectRow, { branch, content, body }: EffectOf<"propose_file">): boolean {
  return (
    payload.kind === "propose_file" &&
    payload.branch === branch &&
    payload.content === content &&
    payload.body === body
  );
}

import type { Occurrence } from "../../core/occurrence.ts";
import { faultyFileComment } from "../../core/text/repository-file.ts";
import type { EngineContext } from "../context.ts";
import { issueEffect } from "../effect-rows.ts";

/**
 * A faulty file is told where people are: on the first issue where somebody who may command does something, once for each
 * content and its faults.
 */
export async function tellFaults(context: EngineContext, occurrence: Occurrence): Promise<void> {
  const repositoryId = occurrence.repository.id;
  const row = context.ownSettings.faultyIn(repositoryId);
  if (row === undefined || !occurrence.permitted || !("issue" in occurrence)) return;
  const name = `repository-file-${context.digest([row.fingerprint, ...row.faults].join("\n")).slice(0, 16)}`;
  const body = faultyFileComment(row.faults, row.override !== null);
  const effect = { kind: "post_comment", name, body } as const;
  const { number: issue } = occurrence.issue;
  await context.store.effects.add([
    {
      ...issueEffect({ repositoryId, issue, effect, at: context.clock.now() }),
      key: `${repositoryId}:${name}`,
    },
  ]);
}

import type { DomainEvent } from "../../domain/events/domain-event.ts";
import { faultyFileComment } from "../../domain/settings/repository-file-text.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Reports a faulty file on the first issue where a person with permission does something, once per content
 * and its faults.
 */
export async function reportFaults(context: EngineContext, event: DomainEvent): Promise<void> {
  const repositoryId = event.repository.id;
  const row = context.ownSettings.faultyIn(repositoryId);
  if (row === undefined || !event.permitted || !("issue" in event)) return;
  const name = `repository-file-${context.digest([row.fingerprint, ...row.faults].join("\n")).slice(0, 16)}`;
  const body = faultyFileComment(row.faults, row.override !== null);
  const effect = { kind: "post_comment", name, body } as const;
  const { number: issue } = event.issue;
  await context.store.effects.add([
    {
      ...issueEffect({ repositoryId, issue, effect, at: context.clock.now() }),
      key: `${repositoryId}:${name}`,
    },
  ]);
}

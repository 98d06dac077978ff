import type { OpenStore } from "../src/adapters/store/database.ts";
import { decide } from "../src/domain/decide.ts";
import type { DomainEventOf } from "../src/domain/events/domain-event.ts";
import type { EngineContext } from "../src/engine/kernel/engine-context.ts";
import type { TransitionRequest } from "../src/engine/kernel/transition-request.ts";
import { createRig } from "../test/engine/rig.ts";
import { aView } from "../test/factories/a-view.ts";
import { aDomainEvent, anIssue } from "../test/factories/an-occurrence.ts";
import { CLAIM } from "../test/factories/leases.ts";

/** An issue got a label. */
export type Occurrence = DomainEventOf<"issue_labeled">;

/** Creates the occurrence that an issue got this label, by the issue's number. */
export function labelled(label: string): (issue: number) => Occurrence {
  return (number) =>
    aDomainEvent("issue_labeled", {
      delivery: `delivery-${number}`,
      label,
      issue: anIssue({ number, labels: [label] }),
    });
}

/** Puts the repository and the deliveries of these occurrences into the store, and claims the deliveries. */
export async function prepare(store: OpenStore, occurrences: readonly Occurrence[]): Promise<void> {
  const { repository } = occurrences[0] ?? labelled("")(1);
  await store.repositories.put(repository);
  await store.deliveries.insert(
    occurrences.map(({ delivery, at }) => ({
      guid: delivery,
      event: "issues",
      action: "labeled",
      installationId: repository.installationId,
      repositoryId: repository.id,
      lane: delivery,
      payload: "{}",
      receivedAt: at,
    })),
  );
  const now = Math.max(...occurrences.map(({ at }) => at));
  await store.deliveries.claim({ ...CLAIM, now, limit: occurrences.length });
}

/** Returns what is decided about an occurrence. */
export function factOf(occurrence: Occurrence): TransitionRequest {
  const { at, repository, issue, delivery } = occurrence;
  return {
    at,
    repositoryId: repository.id,
    issue: issue.number,
    delivery,
    claim: CLAIM.token,
    name: delivery,
    changes: decide(occurrence, aView({ issue: issue.number })),
  };
}

/**
 * Runs `work` with everything that the engine needs in addition to its store. The measured work does not call any of
 * it.
 */
export async function onRig<T>(store: OpenStore, work: (context: EngineContext) => Promise<T>): Promise<T> {
  const rig = await createRig({ watched: false });
  try {
    return await work({ ...rig.context, store, changed: () => {} });
  } finally {
    await rig.close();
  }
}

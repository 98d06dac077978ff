import type { Move } from "../../../src/domain/kernel/change-set.ts";
import type { MachineName } from "../../../src/domain/kernel/rows.ts";
import type { Records } from "../../../src/domain/ports/store.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { moveBy } from "../move-by.ts";
import { aRig, REPOSITORY } from "../rig.ts";
import type { Cause } from "./cause.ts";

/** What each move has. */
export const BASE = { at: AT, actor: "alice" } as const;

/** A move that the record, as it stands by then, refuses; null makes a new one. The record belongs to no work of the rig. */
export function refused<M extends MachineName>(
  machine: M,
  record: Records[M] | null,
  event: Extract<Move, { machine: M }>["event"],
): Cause {
  return async () => {
    const rig = await aRig();
    await rig.store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
    // What the record may belong to: agent 1 and its task 1, which are over.
    await rig.store.records.insert("agent", {
      ...anAgent({ state: "CANCELLED", name: "feat-dev-issue-3" }),
      id: 0,
      issue: 3,
    });
    const over = aTask({ state: "ABANDONED", issue: 3, assigneeId: null, line: 1, leaseUntil: null });
    await rig.store.records.insert("task", { ...over, id: 0, worktree: null });
    const id = record === null ? null : (await rig.store.records.insert(machine, { ...record, id: 0 })).id;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- machine and event belong together by the signature
    await moveBy(rig, { machine, id, event } as Move);
    return rig;
  };
}

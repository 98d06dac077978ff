import type { OF_MERGING } from "../../../src/domain/decisions/rules.ts";
import { agentOf } from "../look.ts";
import { approvedWork, merging, upTo } from "../merge-queue-rig.ts";
import { pullClosed, reviewed, tell } from "../people.ts";
import type { Rig } from "../rig.ts";
import type { Cause } from "./cause.ts";

async function ended(merged: boolean): Promise<Rig> {
  const rig = await approvedWork();
  await tell(rig, pullClosed(rig, (await agentOf(rig)).prNumber ?? 0, { merged }));
  return rig;
}

export const CAUSES_OF_MERGING: Readonly<Record<keyof typeof OF_MERGING, Cause>> = {
  merge_asked: () => approvedWork(),
  merge_risk: () => approvedWork({ settings: upTo(99) }),
  merged: () => ended(true),
  pull_closed: () => ended(false),
  pull_over: async () => {
    const rig = await ended(true);
    await tell(rig, reviewed(rig, (await agentOf(rig)).prNumber ?? 0, "changes_requested"));
    return rig;
  },
  merge_waits: () =>
    approvedWork({
      settings: merging(),
      before: (rig) => void (rig.repository.mergeDemands = { queue: true }),
    }),
};

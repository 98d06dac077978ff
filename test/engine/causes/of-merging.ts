import type { OF_MERGING } from "../../../src/core/decisions/of-merging.ts";
import { approvedWork, merging } from "../train-rig.ts";
import type { Cause } from "./cause.ts";

export const CAUSES_OF_MERGING: Readonly<Record<keyof typeof OF_MERGING, Cause>> = {
  merge_asked: () => approvedWork(),
  merge_waits: () =>
    approvedWork({
      settings: merging(),
      before: (rig) => void (rig.repository.mergeDemands = { queue: true }),
    }),
};

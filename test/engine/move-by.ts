import { type Move, NO_CHANGES } from "../../src/domain/kernel/change-set.ts";
import { type Advanced, advance } from "../../src/engine/kernel/advance.ts";
import { byHand } from "../reach/record.ts";
import { REPOSITORY, type Rig } from "./rig.ts";

/** Moves that nothing outside triggers yet, handed to the one write path as the engine does; on issue 1. */
export async function moveBy(rig: Rig, ...moves: readonly Move[]): Promise<Advanced> {
  return byHand(() =>
    advance(rig.context, {
      at: rig.clock.now(),
      repositoryId: REPOSITORY.id,
      issue: 1,
      delivery: null,
      name: null,
      changes: { ...NO_CHANGES, moves },
    }),
  );
}

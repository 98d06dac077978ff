import type { ChangeSet } from "../../domain/kernel/change-set.ts";
import type { Refusal } from "../../domain/kernel/state-machine.ts";
import type { Milestone } from "../../domain/planning/milestone.ts";
import type { Tables } from "../../domain/ports/store.ts";

/** One fact and what follows from it. */
export interface TransitionRequest {
  readonly at: number;
  readonly repositoryId: number;
  readonly issue: number;
  /** The webhook delivery that told it; it is marked done in the same transaction. */
  readonly delivery: string | null;
  /**
   * What no other fact is called, and the same fact always is; it keys the effects of the reaction, so that none of
   * them is lost to another's and none is done twice. A delivery is its own; null where no effects follow.
   */
  readonly name: string | null;
  readonly reaction: ChangeSet;
  /** What GitHub shows as the issue's milestone; undefined where the fact does not tell. */
  readonly milestone?: Milestone | null;
  /** A milestone that was changed there. */
  readonly changedMilestone?: { readonly milestone: Milestone; readonly gone: boolean };
  /** What its moves rest on; kept with each of their transitions. */
  readonly evidence?: unknown;
  /** The issue or its repository is gone: nothing is shown there any more. */
  readonly gone?: boolean;
  /** In the name of this period of an agent: nothing at all happens when it is not ACTIVE under that token any more. */
  readonly holder?: { readonly agentId: number; readonly token: number };
  /** More database work of the same transaction, before the moves: settling an effect, noting a commit. */
  readonly also?: (tables: Tables) => Promise<void>;
  /** The same after the moves, told which of them were refused: settling an intent. */
  readonly afterwards?: (tables: Tables, refused: readonly Refusal[]) => Promise<void>;
}

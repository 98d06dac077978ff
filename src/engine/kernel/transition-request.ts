import type { ChangeSet } from "../../domain/kernel/change-set.ts";
import type { Refusal } from "../../domain/kernel/state-machine.ts";
import type { Milestone } from "../../domain/planning/milestone.ts";
import type { Tables } from "../../domain/ports/store.ts";

/** A change set with its origin: the input of `advance`. */
export interface TransitionRequest {
  readonly at: number;
  readonly repositoryId: number;
  readonly issue: number;
  /** The webhook delivery that caused the request; it is marked done in the same transaction. */
  readonly delivery: string | null;
  /**
   * The token of the delivery's claim; `advance` writes nothing and throws `LostClaim` when it is no longer that of
   * the row. Undefined for a delivery that nobody claimed: a replay decides again without an inbox.
   */
  readonly claim?: string | undefined;
  /**
   * Unique and stable name of the cause. It keys the effects of the change set, so that none is lost to
   * another's and none runs twice. A delivery is its own name; null where no effects follow.
   */
  readonly name: string | null;
  /** The person whose act it is: a login, or `operator:<account>`. */
  readonly person?: string;
  readonly changes: ChangeSet;
  /** The issue's milestone on GitHub; undefined when the cause does not include it. */
  readonly milestone?: Milestone | null;
  /** A milestone that was changed or deleted on GitHub. */
  readonly changedMilestone?: { readonly milestone: Milestone; readonly gone: boolean };
  /** The evidence for the moves; kept with each of their transitions. */
  readonly evidence?: unknown;
  /** The issue or its repository is gone: nothing is written there any more. */
  readonly gone?: boolean;
  /**
   * Limits the request to this period of an agent: nothing happens when the agent is no longer ACTIVE under
   * that token.
   */
  readonly holder?: { readonly agentId: number; readonly token: number };
  /**
   * Database work of the same transaction before the moves, such as settling an effect or recording a commit.
   */
  readonly also?: (tables: Tables) => Promise<void>;
  /**
   * Database work of the same transaction after the moves, with the refused ones, such as settling an intent.
   */
  readonly afterwards?: (tables: Tables, refused: readonly Refusal[]) => Promise<void>;
}

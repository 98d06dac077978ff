import type { RepositoryRow } from "../kernel/rows.ts";
import type { Account } from "./account.ts";

/** What happened to a whole repository, as `repository.<this>` says. */
export type RepositoryChange =
  | "renamed"
  | "transferred"
  | "archived"
  | "unarchived"
  | "deleted"
  | "privatized"
  | "publicized";

/** A repository as an installation's webhooks name it: its default branch is not among it. */
export type BriefRepository = Pick<RepositoryRow, "id" | "owner" | "name" | "private">;

/**
 * What happened to repositories and not to one issue. One delivery gives one; all agents there are concerned, whoever
 * did it: GitHub lets only its administrators do it.
 */
interface Base {
  /** `X-GitHub-Delivery` of the delivery that told us. */
  readonly delivery: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly actor: Account;
}

export type RepositoryEvent = Base &
  (
    | {
        readonly type: "repository_changed";
        /** Under the name that it has now. */
        readonly repository: RepositoryRow;
        readonly change: RepositoryChange;
        /** What it was called before; null when it kept its name. */
        readonly was: string | null;
      }
    | {
        readonly type: "installation_changed";
        readonly installationId: number;
        readonly change: "uninstalled" | "suspended" | "unsuspended";
      }
    | {
        readonly type: "coverage_changed";
        readonly installationId: number;
        readonly added: readonly BriefRepository[];
        /** Ids of repositories that the App may not see any more. */
        readonly removed: readonly number[];
      }
  );

export type RepositoryEventOf<T extends RepositoryEvent["type"]> = Extract<RepositoryEvent, { type: T }>;

const NEWS: readonly string[] = [
  "repository_changed",
  "installation_changed",
  "coverage_changed",
] satisfies readonly RepositoryEvent["type"][];

export function isRepositoryEvent(told: { readonly type: string }): told is RepositoryEvent {
  return NEWS.includes(told.type);
}

import type { RepositoryRow } from "../kernel/rows.ts";
import type { Account } from "./account.ts";

/** What happened to a whole repository, as `repository.<action>` reports it. */
export type RepositoryChange =
  | "renamed"
  | "transferred"
  | "archived"
  | "unarchived"
  | "deleted"
  | "privatized"
  | "publicized";

/** A repository as an installation's webhooks describe it, without its default branch. */
export type BriefRepository = Pick<RepositoryRow, "id" | "owner" | "name" | "private">;

/**
 * An event that concerns repositories instead of one issue; a delivery makes one. It affects all agents there and needs
 * no check of its sender, because GitHub lets only administrators cause it.
 */
interface Base {
  /** `X-GitHub-Delivery` of the delivery. */
  readonly delivery: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly actor: Account;
}

export type RepositoryEvent = Base &
  (
    | {
        readonly type: "repository_changed";
        /** With its present name. */
        readonly repository: RepositoryRow;
        readonly change: RepositoryChange;
        /** The name before; null when it did not change. */
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
        /** Ids of repositories that the App can no longer access. */
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

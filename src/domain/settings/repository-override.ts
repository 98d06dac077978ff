import type { Role, RoleTrigger } from "../agents/role.ts";
import type { LimitOverrides } from "../breakers/limits.ts";
import type { Settings } from "./settings.ts";

/** What a repository says of one role. A role that the operator has keeps its kind: a repository's file names none for it. */
export interface RoleOverride {
  /** In place of the operator's; none switches the role off there. */
  readonly triggers?: readonly RoleTrigger[];
  readonly singleton?: boolean;
  readonly planFirst?: boolean;
  /** A role file of the repository, in place of the operator's. */
  readonly file?: RoleText;
  /** Only of a role that the operator does not have. */
  readonly kind?: Pick<Role, "lifecycle" | "evidence" | "checkout">;
}

/** What a role file says. */
export type RoleText = Pick<
  Role,
  "description" | "emoji" | "model" | "capabilities" | "tools" | "prompt" | "limits" | "marks"
>;

/**
 * A sound `.github/flotilla.yml`, as plain JSON: what is absent stays the operator's. What it comes to is said by
 * `settingsFor` alone, which never goes beyond what the operator allows today. Durations in milliseconds.
 */
export type RepositoryOverride = {
  readonly roles: Readonly<Record<string, RoleOverride>>;
  readonly branches?: string;
  readonly limits: {
    readonly defaults: LimitOverrides;
    readonly roles: Readonly<Record<string, LimitOverrides>>;
  };
} & { readonly [Name in SectionName]?: Partial<Settings[Name]> };

/** The schema says which of their keys count. */
type SectionName = Exclude<keyof Settings, "roles" | "branches" | "limits">;

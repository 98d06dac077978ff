import type { Role, RoleTrigger } from "../agents/role.ts";
import type { LimitOverrides } from "../breakers/limits.ts";
import type { MergeMethod } from "../ports/github-changes.ts";

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
export interface RepositoryOverride {
  readonly roles: Readonly<Record<string, RoleOverride>>;
  readonly branches?: string | undefined;
  readonly evidence: {
    readonly commands?: readonly string[] | undefined;
    readonly timeoutMs?: number | undefined;
    readonly requiredChecks?: readonly string[] | undefined;
    readonly maxBounces?: number | undefined;
    readonly evaluatorThreshold?: number | undefined;
  };
  readonly review: {
    readonly required?: boolean | undefined;
    readonly reviewers?: number | undefined;
    readonly maxCycles?: number | undefined;
    readonly leaseMs?: number | undefined;
  };
  readonly merge: { readonly auto?: boolean | undefined; readonly method?: MergeMethod | undefined };
  readonly limits: {
    readonly defaults: LimitOverrides;
    readonly roles: Readonly<Record<string, LimitOverrides>>;
  };
  readonly repositoryPerDay: {
    readonly maxCostUsd?: number | undefined;
    readonly maxAgents?: number | undefined;
  };
  readonly storm: {
    readonly maxStartsPerIssuePerHour?: number | undefined;
    readonly maxDepth?: number | undefined;
    readonly maxFanOut?: number | undefined;
  };
  readonly progress: { readonly turnsWithoutChange?: number | undefined };
}

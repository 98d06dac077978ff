import type { Role, RoleTrigger } from "../agents/role.ts";
import type { LimitOverrides } from "../breakers/limits.ts";
import type { Settings } from "./settings.ts";

/** What a repository's file says of one role. A role of the operator's keeps its kind, which the file does not name. */
export interface RoleOverride {
  /** Replace the operator's; an empty list switches the role off there. */
  readonly triggers?: readonly RoleTrigger[];
  readonly singleton?: boolean;
  readonly planFirst?: boolean;
  /** A role file of the repository; replaces the operator's. */
  readonly file?: RoleText;
  /** Only for a role that the operator does not have. */
  readonly kind?: Pick<Role, "lifecycle" | "evidence" | "checkout">;
}

/** The content of a role file. */
export type RoleText = Pick<
  Role,
  | "description"
  | "emoji"
  | "model"
  | "temperature"
  | "capabilities"
  | "tools"
  | "prompt"
  | "limits"
  | "attributes"
> &
  // Missing in files that were read by earlier versions.
  Partial<Pick<Role, "mcpTools" | "otherModels">> & {
    /** Of the operator's skills. */
    readonly skillNames?: readonly string[];
  };

/**
 * A valid `.github/flotilla.yml` as plain JSON; an absent value stays the operator's. Only `settingsFor` applies it,
 * and never exceeds what the operator allows today. Durations in milliseconds.
 */
export type RepositoryOverride = {
  readonly roles: Readonly<Record<string, RoleOverride>>;
  readonly branches?: string;
  readonly base?: string | null;
  readonly bases?: Settings["bases"];
  readonly instructions?: boolean | readonly string[];
  readonly services?: Settings["services"];
  readonly limits: {
    readonly defaults: LimitOverrides;
    readonly roles: Readonly<Record<string, LimitOverrides>>;
  };
} & { readonly [Name in SectionName]?: Partial<Settings[Name]> };

/** The schema decides which of their keys count. */
type SectionName = Exclude<
  keyof Settings,
  "roles" | "branches" | "base" | "bases" | "instructions" | "services" | "limits"
>;

import type { LimitOverrides } from "../breakers/limits.ts";
import type { Skill } from "../instructions/skill.ts";
import type { Capability } from "../ports/agent-runtime.ts";
import type { AgentAttributes } from "./agent-attributes.ts";

/**
 * persistent: sleeps and wakes with its conversation; ephemeral: one run, then it ends. `stateful` means persistent.
 */
type RoleLifecycle = "persistent" | "ephemeral";

/** What must be shown before the work counts as complete. */
export type RoleEvidence = "code" | "verdict" | "outputs" | "none";

/** What starts an agent of the role. `label` only with `issues.labeled`. */
export interface RoleTrigger {
  readonly event: string;
  readonly label?: string;
}

/** A job description: the role's configuration, joined with its role file. */
export interface Role {
  readonly name: string;
  readonly description: string;
  readonly emoji: string;
  /** Undefined: `runtime.use`. */
  readonly runtime: string | undefined;
  /** Undefined: the first model of its runtime. See `runtimeUse`. */
  readonly model: string | undefined;
  /** Asked in this order after `model`. */
  readonly otherModels: readonly string[];
  /** The temperature of its model requests; undefined: the provider's own. Needs a provider. */
  readonly temperature: number | undefined;
  readonly lifecycle: RoleLifecycle;
  readonly evidence: RoleEvidence;
  /** `head`: a detached checkout of the pull request's head; undefined: a branch of its own. */
  readonly checkout: "head" | undefined;
  /** At most one ACTIVE agent of the role per repository. */
  readonly singleton: boolean;
  /** The role's agents change nothing before a person has approved their plan. */
  readonly planFirst: boolean;
  readonly triggers: readonly RoleTrigger[];
  /** What its agents may do with the runtime's own tools. */
  readonly capabilities: readonly Capability[];
  /** Names of Flotilla's tools that its agents may call; the others are not registered. */
  readonly tools: readonly string[];
  /** Names of tools of MCP servers that its agents may call, in the order in which a model sees them. */
  readonly mcpTools: readonly string[];
  /** The operator's skills that its agents get. */
  readonly skills: readonly Skill[];
  /** The role file's text after its front matter. */
  readonly prompt: string;
  /** From the role file; they can only lower the limits. See `limitsFor`. */
  readonly limits: LimitOverrides;
  /** What its agents start with: time to live, labels and tags. */
  readonly attributes: AgentAttributes;
}

/** Roles by name, in the order of the configuration. */
export type Roles = ReadonlyMap<string, Role>;

/** Returns true for a role that changes code: it has a branch, commits and opens a pull request. */
export function isCoder(role: Pick<Role, "evidence">): boolean {
  return role.evidence === "code";
}

/** Returns whether the role says which labels an issue needs, as triage does. */
export function choosesLabels({ tools }: Pick<Role, "tools">): boolean {
  return tools.includes("submit_triage") || tools.includes("label");
}

/** How the work on an issue ends, as a role's trigger names it. */
export const ENDINGS = ["task.merged", "task.rejected"] as const;
export type Ending = (typeof ENDINGS)[number];

/** Returns true for a role that looks back at ended work, and may propose a lesson. */
export function isRetrospective({
  triggers,
}: {
  readonly triggers: readonly Pick<RoleTrigger, "event">[];
}): boolean {
  return triggers.some(({ event }) => ENDINGS.some((ending) => ending === event));
}

/** Returns the role that a label starts; the configuration allows at most one. Case does not matter, as on GitHub. */
export function roleForLabel(roles: Roles, label: string): Role | undefined {
  const wanted = label.toLowerCase();
  return rolesForEvent(roles, "issues.labeled").find((role) =>
    role.triggers.some(
      (trigger) => trigger.event === "issues.labeled" && trigger.label?.toLowerCase() === wanted,
    ),
  );
}

/** Returns the roles that an event starts, with any label, in the order of the configuration. */
export function rolesForEvent(roles: Roles, event: string): readonly Role[] {
  return [...roles.values()].filter((role) => role.triggers.some((trigger) => trigger.event === event));
}

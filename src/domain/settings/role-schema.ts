import { z } from "zod";
import { setting } from "./keys.ts";

const triggerSchema = z.strictObject({
  event: z
    .string()
    .describe(
      "`issues.opened`, `issues.labeled`, `task.ready_for_review`, `task.merged` or `task.rejected`.",
    ),
  label: z.string().min(1).max(50).optional().describe("Which label; needed with `issues.labeled`."),
});

/** One role of `roles`. */
export const roleSchema = z.strictObject({
  prompt: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*\.md$/, { error: "write the name of a .md file in agents_dir" })
    .describe("Role file in `agents_dir`."),
  lifecycle: z
    .enum(["persistent", "ephemeral", "stateful"])
    .prefault("persistent")
    .describe("`persistent` sleeps and wakes; `ephemeral` has one run; `stateful` means persistent."),
  evidence: z
    .enum(["code", "verdict", "outputs", "none"])
    .prefault("code")
    .describe("What a completion must show. A role with `code` is a coder."),
  checkout: z
    .enum(["head"])
    .optional()
    .describe("`head`: an ephemeral role gets a checkout of the pull request's head to read."),
  singleton: z.boolean().prefault(false).describe("At most one ACTIVE agent of the role per repository."),
  plan_first: z
    .boolean()
    .prefault(false)
    .describe("Its agents change nothing before a person has approved their plan."),
  triggers: z.array(triggerSchema).prefault([]).describe("What starts an agent of the role."),
});

/** The roles of a configuration that names none. */
export const DEFAULT_ROLES: Record<string, z.input<typeof roleSchema>> = {
  triage: {
    prompt: "triage.md",
    lifecycle: "ephemeral",
    evidence: "outputs",
    triggers: [{ event: "issues.opened" }],
  },
  "feat-dev": {
    prompt: "feat-dev.md",
    lifecycle: "persistent",
    triggers: [{ event: "issues.labeled", label: "feature" }],
  },
  "bug-fix": {
    prompt: "bug-fix.md",
    lifecycle: "persistent",
    triggers: [{ event: "issues.labeled", label: "bug" }],
  },
  "docs-dev": {
    prompt: "docs-dev.md",
    lifecycle: "persistent",
    triggers: [{ event: "issues.labeled", label: "documentation" }],
  },
  reviewer: {
    prompt: "reviewer.md",
    lifecycle: "ephemeral",
    checkout: "head",
    evidence: "verdict",
    triggers: [{ event: "task.ready_for_review" }],
  },
};

/** Names of roles become part of branch names and of agents' keys. */
export const roleNameSchema = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, {
  error: "write a role's name in lower case with hyphens, such as feat-dev",
});

export const roles = setting("roles", z.record(roleNameSchema, roleSchema), {
  description: "The roles by name. If you name any, they replace all of these.",
  default: DEFAULT_ROLES,
});

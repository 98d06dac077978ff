import { NO_ATTRIBUTES } from "../../src/domain/agents/agent-attributes.ts";
import type { Role } from "../../src/domain/agents/role.ts";

/** Builds a coder that the label `feature` starts. */
export function aRole(overrides: Partial<Role> = {}): Role {
  return {
    name: "feat-dev",
    description: "Builds features",
    emoji: "",
    runtime: undefined,
    model: undefined,
    otherModels: [],
    temperature: undefined,
    lifecycle: "persistent",
    evidence: "code",
    checkout: undefined,
    singleton: false,
    planFirst: false,
    triggers: [{ event: "issues.labeled", label: "feature" }],
    capabilities: ["read", "edit", "shell"],
    tools: [
      "submit_plan",
      "report_blocked",
      "report_complete",
      "request_review",
      "escalate_to_human",
      "ask_human",
      "commit",
      "restore_files",
      "open_pr",
      "comment",
      "read_issue",
      "read_pr",
      "check_for_events",
      "list_fleet",
      "get_my_status",
    ],
    mcpTools: [],
    skills: [],
    prompt: "You build features.",
    limits: {},
    attributes: NO_ATTRIBUTES,
    ...overrides,
  };
}

/** The shipped roles, reduced to what tests need. */
export const ROLES: readonly Role[] = [
  aRole({
    name: "triage",
    description: "Sorts issues",
    lifecycle: "ephemeral",
    evidence: "outputs",
    triggers: [{ event: "issues.opened" }],
    capabilities: ["read"],
    tools: ["report_complete", "escalate_to_human", "comment", "label", "read_issue"],
    prompt: "You sort issues.",
  }),
  aRole(),
  aRole({
    name: "bug-fix",
    description: "Fixes bugs",
    triggers: [{ event: "issues.labeled", label: "bug" }],
    prompt: "You fix bugs.",
  }),
  aRole({
    name: "docs-dev",
    description: "Writes documentation",
    triggers: [{ event: "issues.labeled", label: "documentation" }],
    prompt: "You write documentation.",
  }),
  aRole({
    name: "reviewer",
    description: "Reviews pull requests",
    lifecycle: "ephemeral",
    evidence: "verdict",
    checkout: "head",
    // No trigger here: a test about reviews uses `REVIEWER`.
    triggers: [],
    capabilities: ["read", "shell"],
    tools: ["submit_verdict", "report_complete", "escalate_to_human", "read_issue", "read_pr"],
    prompt: "You review.",
  }),
];

/** The reviewer, started when work is ready for review. */
export const REVIEWER: Role = {
  ...(ROLES.at(-1) ?? aRole()),
  triggers: [{ event: "task.ready_for_review" }],
};

import { describe, expect, test } from "vitest";
import { NO_ATTRIBUTES } from "../../../src/domain/agents/agent-attributes.ts";
import {
  isCoder,
  type Role,
  type RoleTrigger,
  roleForLabel,
  rolesForEvent,
} from "../../../src/domain/agents/role.ts";

function role(name: string, triggers: readonly RoleTrigger[], evidence: Role["evidence"] = "code"): Role {
  return {
    name,
    description: name,
    emoji: "",
    runtime: undefined,
    model: undefined,
    otherModels: [],
    temperature: undefined,
    lifecycle: "persistent",
    evidence,
    checkout: undefined,
    singleton: false,
    planFirst: false,
    triggers,
    capabilities: [],
    tools: [],
    mcpTools: [],
    skills: [],
    prompt: name,
    limits: {},
    attributes: NO_ATTRIBUTES,
  };
}

const roles = new Map(
  [
    role("triage", [{ event: "issues.opened" }], "outputs"),
    role("bug-fix", [{ event: "issues.opened" }, { event: "issues.labeled", label: "Bug" }]),
    role("feat-dev", [{ event: "issues.labeled", label: "feature" }]),
  ].map((one) => [one.name, one]),
);

describe("roles", () => {
  test("a coder is a role whose evidence is code", () => {
    expect([...roles.values()].filter(isCoder).map(({ name }) => name)).toEqual(["bug-fix", "feat-dev"]);
  });

  test("a label leads to its role, whatever its case, and an unknown one to none", () => {
    expect(roleForLabel(roles, "bug")?.name).toBe("bug-fix");
    expect(roleForLabel(roles, "FEATURE")?.name).toBe("feat-dev");
    expect(roleForLabel(roles, "wontfix")).toBeUndefined();
  });

  test("an event leads to all its roles, in order", () => {
    expect(rolesForEvent(roles, "issues.opened").map(({ name }) => name)).toEqual(["triage", "bug-fix"]);
    expect(rolesForEvent(roles, "issues.closed")).toEqual([]);
  });
});

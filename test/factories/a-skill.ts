import type { Skill } from "../../src/domain/instructions/skill.ts";

/** Builds a skill of the operator with a SKILL.md. */
export function aSkill(overrides: Partial<Skill> = {}): Skill {
  const { name = "sql", description = "Reads tables." } = overrides;
  return {
    name,
    description,
    from: "operator",
    path: `skills/${name}`,
    hash: "0123456789abcdef".repeat(4),
    files: [
      { path: "SKILL.md", text: `---\nname: ${name}\ndescription: ${description}\n---\nSelect first.\n` },
    ],
    ...overrides,
  };
}

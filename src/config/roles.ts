import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Role, RoleTrigger } from "../domain/agents/role.ts";
import { EVALUATOR, EVALUATOR_TOOLS } from "../domain/evidence/evaluation.ts";
import type { Skill } from "../domain/instructions/skill.ts";
import { ASKING_TOOLS, EVALUATION_TOOL, PLAN_TOOL } from "../domain/sessions/tool-names.ts";
import type { ConfigFile } from "../domain/settings/config-schema.ts";
import { suggestion } from "./nearest.ts";
import { type Nameable, type RoleFile, readRoleFile } from "./role-file.ts";
import { readSkill, skillNames } from "./skills.ts";

/** Combines `roles` with the role files. Returns every role with a valid file; the others are faults. */
export function readRoles(
  written: ConfigFile["roles"],
  options: Omit<Nameable, "skills"> & {
    /** Absolute. */
    readonly directory: string;
    /** The directory as written in the configuration, for faults. */
    readonly directoryWritten: string;
    /** Name of the configuration file, for faults. */
    readonly file: string;
  },
): { readonly roles: ReadonlyMap<string, Role>; readonly faults: string[]; readonly notices: string[] } {
  const roles = new Map<string, Role>();
  const faults: string[] = [];
  const notices: string[] = [];
  const known = skillNames(options.directory);
  const skills = new Map<string, ReturnType<typeof readSkill>>();
  for (const [name, entry] of Object.entries(written)) {
    const label = join(options.directoryWritten, entry.prompt);
    const text = readText(join(options.directory, entry.prompt));
    if (text === undefined) {
      const hint = suggestion(entry.prompt, listRoleFiles(options.directory));
      faults.push(`${options.file}: roles.${name}.prompt: ${label} cannot be read.${hint}`);
      continue;
    }
    const read = readRoleFile(text, label, { ...options, skills: known });
    notices.push(...read.notices);
    faults.push(...read.faults);
    if (read.role === undefined) continue;
    if (read.role.name !== undefined && read.role.name !== name) {
      faults.push(
        `${label}: name: is "${read.role.name}", but the role is ${name}; write that or leave the key out.`,
      );
    }
    faults.push(...toolFaults(name, read.role, label));
    if (entry.plan_first && !read.role.tools.includes(PLAN_TOOL))
      faults.push(
        `${options.file}: roles.${name}.plan_first: ${label} has no ${PLAN_TOOL} among its tools; add it there.`,
      );
    for (const skill of read.role.skillNames)
      if (!skills.has(skill)) skills.set(skill, readSkill(skill, options));
    const given = read.role.skillNames.flatMap((skill) => skills.get(skill) ?? []);
    roles.set(
      name,
      joined(
        name,
        entry,
        read.role,
        given.flatMap((one) => ("notice" in one ? [] : [one])),
      ),
    );
  }
  notices.push(...[...skills.values()].flatMap((one) => ("notice" in one ? [one.notice] : [])));
  return { roles, faults, notices };
}

/** Returns the faults of tools: an evaluator only reads and evaluates, and no other role may evaluate. */
function toolFaults(name: string, role: RoleFile, label: string): string[] {
  if (name !== EVALUATOR)
    return role.tools.includes(EVALUATION_TOOL)
      ? [`${label}: tools: only the role ${EVALUATOR} has ${EVALUATION_TOOL}; take it out.`]
      : [];
  const skills =
    role.skillNames.length === 0 ? [] : [`${label}: skills: an evaluator gets none; take them out.`];
  const allowed: readonly string[] = ["read", ...EVALUATOR_TOOLS, EVALUATION_TOOL];
  const tools = [...role.capabilities, ...role.tools, ...role.mcpTools].flatMap((tool) =>
    allowed.includes(tool)
      ? []
      : [`${label}: tools: an evaluator only reads; take out ${tool} (it may have ${allowed.join(", ")}).`],
  );
  return [...skills, ...tools];
}

function joined(
  name: string,
  entry: ConfigFile["roles"][string],
  file: RoleFile,
  skills: readonly Skill[],
): Role {
  return {
    name,
    description: file.description,
    emoji: file.emoji,
    runtime: file.runtime,
    model: file.model,
    otherModels: file.otherModels,
    temperature: file.temperature,
    lifecycle: entry.lifecycle === "stateful" ? "persistent" : entry.lifecycle,
    evidence: entry.evidence,
    checkout: entry.checkout,
    singleton: entry.singleton,
    planFirst: entry.plan_first,
    triggers: entry.triggers.map(
      ({ event, label }): RoleTrigger => (label === undefined ? { event } : { event, label }),
    ),
    capabilities: file.capabilities,
    tools:
      entry.lifecycle === "ephemeral" ? file.tools.filter((tool) => !ASKING_TOOLS.has(tool)) : file.tools,
    mcpTools: file.mcpTools,
    skills,
    prompt: file.prompt,
    limits: file.limits,
    attributes: file.attributes,
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function listRoleFiles(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".md"));
  } catch {
    return [];
  }
}

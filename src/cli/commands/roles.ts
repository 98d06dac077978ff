import { DEFAULT_RUNTIME } from "../../adapters/runtimes/registry.ts";
import { agentReach } from "../../domain/access/confinement.ts";
import { isCoder, type Role } from "../../domain/agents/role.ts";
import { systemPrompt } from "../../domain/conversation/system-prompt.ts";
import { EVALUATOR } from "../../domain/evidence/evaluation.ts";
import { evaluatorPrompt } from "../../domain/evidence/evaluation-text.ts";
import { skillSection } from "../../domain/instructions/skill-text.ts";
import { servicesOf, serviceVariables } from "../../domain/services/service.ts";
import { BUILT_IN_RUNTIME } from "../../domain/settings/runtime-section.ts";
import { modelWritten, runtimeOfRole, runtimeUse } from "../../domain/settings/runtime-use.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { printBranch } from "../../domain/tasks/branch-name.ts";
import type { Command, CommandContext } from "../command.ts";
import { printText } from "../printer.ts";
import { refused, unknownVerb } from "../refused.ts";
import { settingsHere } from "../settings-here.ts";
import { printTable } from "../table.ts";

/** An agent of the role on this issue, for a prompt that no agent has. */
const EXAMPLE = { repository: "owner/name", number: 7 };

export const roles: Command = {
  name: "roles",
  summary: "list the roles; show one, or the prompt that its agents get",
  usage: "flotilla roles list\n       flotilla roles show <role> [--prompt]",
  details: [
    "Reads the configuration file that FLOTILLA_CONFIG names, or config.yaml, otherwise the defaults, and the role files. A repository's own .github/flotilla.yml is not read.",
    "The prompt is the text before the first message: the role file, what an agent must know about its place, the rules for all agents, and how to use the runtime's tools. It names the place of an invented issue #7. Descriptions of tools are not part of it.",
  ],
  verbs: {
    list: "list them, with what starts each",
    show: "show what one is, or with --prompt the prompt that its agents get",
  },
  options: { prompt: { type: "boolean", says: "(show) print the prompt", of: ["show"] } },
  examples: ["flotilla roles list", "flotilla roles show feat-dev --prompt"],
  async run(context) {
    const [verb = "list"] = context.args;
    if (verb === "list") return list(context);
    if (verb === "show") return show(context);
    return unknownVerb(context, "roles", verb, ["list", "show"]);
  },
};

function list(context: CommandContext): number {
  if (context.args.length > 1) return refused(context, "Run `flotilla roles list`.");
  const found = [...settingsHere(context).roles.values()];
  if (context.options["json"] === true) context.print(JSON.stringify({ roles: found.map(roleJson) }));
  else
    printTable(
      context.print,
      ["ROLE", "STARTS WHEN", "DESCRIPTION"],
      found.map((role) => [role.name, startsWhen(role), role.description]),
    );
  return 0;
}

function show(context: CommandContext): number {
  const [, name = "", ...more] = context.args;
  if (name === "" || more.length > 0) return refused(context, "Run `flotilla roles show <role> [--prompt]`.");
  const settings = settingsHere(context);
  const role = settings.roles.get(name);
  if (role === undefined)
    return refused(context, `There is no role "${name}".`, "`flotilla roles list` shows them.", "not_found");
  const { print, options } = context;
  const prompt = promptOf(role, settings);
  if (options["json"] === true) print(JSON.stringify({ role: roleJson(role), prompt }));
  else if (options["prompt"] === true) printText(print, prompt);
  else {
    const { description, lifecycle, evidence, capabilities, tools, mcpTools, skills } = role;
    print(`${name}: ${description}`);
    print(`  starts when  ${startsWhen(role)}`);
    const { runtime, models } = runtimeUse(role, settings);
    print(`  runtime      ${runtime}`);
    print(`  model        ${models.map(modelWritten).join(", then ")}`);
    print(`  lifecycle    ${lifecycle}`);
    print(`  evidence     ${evidence}`);
    print(`  tools        ${[...capabilities, ...tools].join(", ")}`);
    if (mcpTools.length > 0) print(`  MCP tools    ${mcpTools.join(", ")}`);
    const services = Object.keys(servicesOf(settings.services, role, ""));
    if (services.length > 0) print(`  services     ${services.join(", ")}`);
    if (skills.length > 0) print(`  skills       ${skills.map((skill) => skill.name).join(", ")}`);
    print(`  prompt       ${prompt.length} characters; --prompt prints it`);
  }
  return 0;
}

/** Returns the whole text that an agent of the role gets before its first message. */
export function promptOf(role: Role, settings: Settings): string {
  const prompt = rolePrompt(role, settings);
  // Programs of others tell their models themselves how their tools are used.
  return runtimeOfRole(role, settings) === BUILT_IN_RUNTIME
    ? `${prompt}\n\n${DEFAULT_RUNTIME.guidance(role.capabilities)}`
    : prompt;
}

/** Returns the part of it that the agent's runtime does not add. */
export function rolePrompt(role: Role, settings: Settings): string {
  const { repository, number } = EXAMPLE;
  const workingDirectory = `/data/worktrees/1/${role.name}-issue-${number}`;
  return role.name === EVALUATOR
    ? evaluatorPrompt({ prompt: role.prompt, repository, workingDirectory })
    : systemPrompt({
        role,
        repository,
        workingDirectory,
        branch: isCoder(role)
          ? printBranch(settings.branches, { role: role.name, number, attempt: 1 })
          : null,
        reach: agentReach(settings),
        variables: [
          ...new Set([
            ...Object.keys(settings.setup.environment),
            ...Object.keys(serviceVariables(servicesOf(settings.services, role, workingDirectory))),
          ]),
        ],
        instructions: skillSection(role.skills, "/data/skills/1"),
      });
}

/** The role without its file's text, which is part of the prompt. */
function roleJson({ capabilities, tools, skills, ...role }: Role) {
  return {
    ...role,
    tools: [...capabilities, ...tools],
    skills: skills.map(({ name, description, hash }) => ({ name, description, hash })),
    prompt: undefined,
  };
}

function startsWhen({ name, triggers }: Role): string {
  if (name === EVALUATOR) return "a coder claims that its work is done";
  return triggers.map(({ event, label }) => (label === undefined ? event : `${event} ${label}`)).join(", ");
}

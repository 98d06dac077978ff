import { z } from "zod";
import {
  type AgentAttributes,
  labelFault,
  MOST_ATTRIBUTES,
  tagFault,
} from "../domain/agents/agent-attributes.ts";
import { temperature } from "../domain/agents/temperature.ts";
import { agentLimits, type LimitOverrides } from "../domain/breakers/limits.ts";
import type { Capability } from "../domain/ports/agent-runtime.ts";
import { duration } from "../domain/settings/duration.ts";
import { sparse } from "../domain/settings/keys.ts";
import { modelNames } from "../domain/settings/runtimes-section.ts";
import { suggestion } from "./nearest.ts";
import { schemaFaults } from "./schema-faults.ts";
import { valueAt, writtenSchema } from "./written-schema.ts";
import { readYaml } from "./yaml-text.ts";

/** A role file: front matter and prompt. */
export interface RoleFile {
  /** The role that the file names; undefined when it names none. */
  readonly name: string | undefined;
  readonly description: string;
  readonly emoji: string;
  readonly runtime: string | undefined;
  readonly model: string | undefined;
  readonly otherModels: readonly string[];
  readonly temperature: number | undefined;
  readonly capabilities: readonly Capability[];
  readonly tools: readonly string[];
  readonly mcpTools: readonly string[];
  /** Of the operator's skills. */
  readonly skillNames: readonly string[];
  readonly limits: LimitOverrides;
  readonly attributes: AgentAttributes;
  readonly prompt: string;
}

const CAPABILITIES: readonly Capability[] = ["read", "edit", "shell"];

/** The fault of a temperature without a provider: requests to the runtime's own account do not pass the host. */
export const NEEDS_PROVIDER =
  "works only with runtime.provider, which is missing; take it out, or configure a provider.";

const frontMatterSchema = z.strictObject({
  name: z.string().optional().describe("The role's name, as in `roles`."),
  description: z.string().min(1).describe("What it does, in one sentence."),
  emoji: z.string().max(16).prefault("").describe("Stands before its name where people read."),
  runtime: z.string().min(1).optional().describe("Its runtime; left out, `runtime.use`."),
  model: z.string().min(1).optional().describe("Its model; left out, the first of its runtime."),
  models: modelNames()
    .optional()
    .describe("In place of `model`: its models in order; the next is asked while one does not answer."),
  temperature: temperature
    .optional()
    .describe("Temperature of its model requests, from 0 to 1; left out, the provider's own."),
  tools: z
    .array(z.string())
    .describe("Allow-list: the capabilities `read`, `edit` and `shell`, and names of Flotilla's tools."),
  mcp_servers: z
    .array(z.string())
    .prefault([])
    .describe("Names of MCP servers of the configuration whose tools its agents may call."),
  skills: z
    .array(z.string())
    .prefault([])
    .describe("Names of folders in `skills/` beside the role files: its agents get these skills."),
  limits: sparse(agentLimits)
    .prefault({})
    .describe("Limits as in `circuit_breakers.defaults`; they only lower."),
  ttl: duration()
    .optional()
    .describe("Time to live of its agents, from when each was made; left out, they live until they end."),
  labels: z
    .record(z.string(), z.string())
    .prefault({})
    .superRefine((labels, context) => {
      const pairs = Object.entries(labels);
      tooManyAttributes(pairs.length, context);
      for (const [key, value] of pairs) refine(context, labelFault(`${key}=${value}`));
    })
    .describe("Pairs of key and value that its agents are listed and found by."),
  tags: z
    .array(z.string())
    .prefault([])
    .superRefine((tags, context) => {
      tooManyAttributes(tags.length, context);
      for (const tag of tags) refine(context, tagFault(tag));
    })
    .describe("Free words that its agents are listed and found by."),
});

function refine(context: z.RefinementCtx, fault: string | null): void {
  if (fault !== null) context.addIssue({ code: "custom", message: fault });
}

function tooManyAttributes(count: number, context: z.RefinementCtx): void {
  if (count > MOST_ATTRIBUTES)
    context.addIssue({ code: "custom", message: `write at most ${MOST_ATTRIBUTES}` });
}

/** The written form of the front matter. */
const frontMatterWritten = writtenSchema(frontMatterSchema);

interface RoleFileRead {
  readonly role: RoleFile | undefined;
  readonly faults: readonly string[];
  readonly notices: readonly string[];
}

/** What a role file may name. */
export interface Nameable {
  readonly knownTools: readonly string[];
  /** Names of their tools, by MCP server. */
  readonly mcpServers: ReadonlyMap<string, readonly string[]>;
  /** Names of the operator's skills. */
  readonly skills: readonly string[];
}

/** Parses a role file. With faults there is no role; every fault begins with `file`. */
export function readRoleFile(text: string, file: string, nameable: Nameable): RoleFileRead {
  const { knownTools, mcpServers, skills } = nameable;
  const match = /^---\r?\n(.*?\r?\n)?---[ \t]*(?:\r?\n(.*))?$/s.exec(text.replace(/^\uFEFF/, ""));
  if (!match) {
    return refused([
      `${file}: has no front matter: begin with a line ---, then description and tools, then a line ---.`,
    ]);
  }
  const { document, faults: yamlFaults } = readYaml(match[1] ?? "", file, 2);
  if (yamlFaults.length > 0) return refused(yamlFaults);
  const prompt = (match[2] ?? "").trim();
  const parsed = frontMatterSchema.safeParse(document);
  const faults = [
    ...(parsed.success ? [] : schemaFaults(parsed.error, { file, document, schema: frontMatterWritten })),
    ...toolFaults(textsAt(document, "tools"), file, knownTools),
    ...serverFaults(textsAt(document, "mcp_servers"), file, [...mcpServers.keys()]),
    ...skillFaults(textsAt(document, "skills"), file, skills),
    ...(parsed.data?.model !== undefined && parsed.data.models !== undefined
      ? [`${file}: models: stands beside model; write one of the two.`]
      : []),
    ...(prompt === "" ? [`${file}: has no prompt: write it after the front matter.`] : []),
  ];
  if (!parsed.success || faults.length > 0) return refused(faults);
  const { data } = parsed;
  return {
    role: {
      name: data.name,
      description: data.description,
      emoji: data.emoji,
      runtime: data.runtime,
      model: data.model ?? data.models?.[0],
      otherModels: data.models?.slice(1) ?? [],
      temperature: data.temperature,
      capabilities: CAPABILITIES.filter((capability) => data.tools.includes(capability)),
      tools: data.tools.filter((tool) => knownTools.includes(tool)),
      mcpTools: data.mcp_servers.flatMap((server) => mcpServers.get(server) ?? []),
      skillNames: data.skills,
      limits: data.limits,
      attributes: {
        ttlMs: data.ttl ?? null,
        labels: Object.entries(data.labels).map(([key, value]) => `${key}=${value}`),
        tags: [...new Set(data.tags)],
      },
      prompt,
    },
    faults: [],
    notices: [],
  };
}

/** Returns the texts of a list as written, whatever else is wrong with the file. */
function textsAt(document: unknown, key: string): readonly string[] {
  const written = valueAt(document, [key]);
  return Array.isArray(written) ? written.filter((one) => typeof one === "string") : [];
}

function refused(faults: readonly string[]): RoleFileRead {
  return { role: undefined, faults, notices: [] };
}

function toolFaults(tools: readonly string[], file: string, knownTools: readonly string[]): string[] {
  const known = [...CAPABILITIES, ...knownTools];
  return tools.flatMap((tool, index) => {
    if (!known.includes(tool))
      return [`${file}: tools[${index}]: unknown tool "${tool}".${suggestion(tool, known)}`];
    return tools.indexOf(tool) === index
      ? []
      : [`${file}: tools[${index}]: "${tool}" is listed twice; take one out.`];
  });
}

function serverFaults(servers: readonly string[], file: string, known: readonly string[]): string[] {
  return servers.flatMap((server, index) => {
    const at = `${file}: mcp_servers[${index}]:`;
    if (!known.includes(server))
      return [
        `${at} there is no MCP server "${server}" in mcp_servers of the configuration.${suggestion(server, known)}`,
      ];
    return servers.indexOf(server) === index ? [] : [`${at} "${server}" is listed twice; take one out.`];
  });
}

function skillFaults(skills: readonly string[], file: string, known: readonly string[]): string[] {
  return skills.flatMap((skill, index) => {
    const at = `${file}: skills[${index}]:`;
    if (!known.includes(skill))
      return [
        `${at} there is no folder "${skill}" in skills/ beside the operator's role files.${suggestion(skill, known)}`,
      ];
    return skills.indexOf(skill) === index ? [] : [`${at} "${skill}" is listed twice; take one out.`];
  });
}

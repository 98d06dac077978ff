import { inlineCode } from "../messages/inline-code.ts";
import { ENDING_TOOLS, PLAN_TOOL } from "../sessions/tool-names.ts";
import { BUILT_IN_RUNTIME } from "../settings/runtime-section.ts";
import {
  hasProvider,
  modelsOf,
  modelWritten,
  type RuntimeSettings,
  roleIn,
  runtimeOfRole,
  runtimeUse,
  type Using,
} from "../settings/runtime-use.ts";
import type { AgentRecord } from "./agent-record.ts";
import type { Role } from "./role.ts";
import { temperatureIn } from "./temperature.ts";

/** What the person who starts an attempt chooses for it; null = as its role. */
export type StartChoice = Pick<AgentRecord, "model" | "allowedTools" | "temperature">;

/** What of an agent says which runtime and which models it has. */
export type Chooses = Pick<AgentRecord, "repositoryId" | "role" | "runtime" | keyof StartChoice>;

export const NO_CHOICE: StartChoice = { model: null, allowedTools: null, temperature: null };

/** Returns the choice of the next attempt: that of the attempt before it. */
export function choiceOf({ model, allowedTools, temperature }: StartChoice): StartChoice {
  return { model, allowedTools, temperature };
}

/** The values of `model=`, `tools=` and `temperature=` as written; undefined for one that is not written. */
export interface TypedChoice {
  readonly model: string | undefined;
  readonly tools: string | undefined;
  readonly temperature: string | undefined;
}

/** Every attempt keeps those of its role's that plan, deliver and end its work. */
const KEPT: readonly string[] = [...ENDING_TOOLS, PLAN_TOOL, "commit", "open_pr"];

/**
 * Returns the models, as they are written, that an attempt of the role may have in its runtime: the role's own first, then
 * the operator's.
 */
export function allowedModels(role: Using, settings: RuntimeSettings): readonly string[] {
  const { runtime, models } = runtimeUse(role, settings);
  const further = runtime === BUILT_IN_RUNTIME ? settings.runtime.models : modelsOf(runtime, settings);
  return [...new Set([...models.map(modelWritten), ...further])];
}

/** Reads what a start chooses for a role in its runtime; the fault says what may be chosen instead. */
export function readChoice(
  typed: TypedChoice,
  role: Role,
  settings: RuntimeSettings,
): StartChoice | { readonly fault: string; readonly change: string } {
  const { model = null } = typed;
  const models = allowedModels(role, settings);
  if (model !== null && !models.includes(model))
    return {
      fault: `${inlineCode(`model=${model}`, 60)} is no model that a start of ${role.name} may choose; allowed: ${list(models)}`,
      change: `choose one of these, leave \`model\` out for the role's own, or ask the operator to add one to ${runtimeOfRole(role, settings) === BUILT_IN_RUNTIME ? "`runtime.models`" : `\`runtimes.${runtimeOfRole(role, settings)}.models\``}`,
    };
  const known = [...role.capabilities, ...role.tools, ...role.mcpTools];
  const named = typed.tools === undefined ? null : [...new Set(typed.tools.split(","))];
  const unknown = named?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return {
      fault: `${inlineCode(`tools=${typed.tools}`, 60)} names ${unknown === "" ? "an empty tool" : inlineCode(unknown, 60)}, which ${role.name} does not have; it has ${list(known)}`,
      change: `write \`tools=\` with some of these, with commas and without spaces between them, or leave it out for all`,
    };
  const temperature = typed.temperature === undefined ? null : temperatureIn(typed.temperature);
  if (typed.temperature !== undefined && temperature === null)
    return {
      fault: `${inlineCode(`temperature=${typed.temperature}`, 60)} is no number from 0 to 1`,
      change: "write it with a point, such as `temperature=0.2`, or leave it out for the role's own",
    };
  if (temperature !== null && !hasProvider(role, settings))
    return {
      fault: "`temperature=` needs a model provider of the operator's own, and none is configured",
      change: "leave it out, or ask the operator to configure `runtime.provider`",
    };
  return { model, allowedTools: named, temperature };
}

/**
 * Returns the role as the attempt has it: in the attempt's runtime, with the chosen model while the operator still allows it,
 * with the chosen temperature, and without the tools that were left out.
 */
export function roleOfAttempt(
  role: Role,
  { runtime, model, allowedTools, temperature }: StartChoice & Pick<AgentRecord, "runtime">,
  settings: RuntimeSettings,
): Role {
  const there = roleIn(role, runtime, settings);
  const modelled =
    model !== null && allowedModels(there, settings).includes(model)
      ? { ...there, model, otherModels: [] }
      : there;
  const warmed = temperature !== null && hasProvider(modelled, settings);
  const chosen = warmed ? { ...modelled, temperature } : modelled;
  if (allowedTools === null) return chosen;
  const may = (name: string) => allowedTools.includes(name) || KEPT.includes(name);
  const withheld = [...role.capabilities, ...role.tools, ...role.mcpTools].filter((name) => !may(name));
  return {
    ...chosen,
    capabilities: role.capabilities.filter(may),
    tools: role.tools.filter(may),
    mcpTools: role.mcpTools.filter(may),
    prompt: withheld.length === 0 ? role.prompt : `${role.prompt.trim()}\n\n${withoutTools(withheld)}`,
  };
}

/** Tells the model which of its role's tools this attempt does not have. */
function withoutTools(names: readonly string[]): string {
  return [
    "# Tools that you do not have",
    `Somebody started this work without ${list(names)}, although the text above names them. Do without them.`,
  ].join("\n");
}

const list = (names: readonly string[]) => names.map((name) => inlineCode(name)).join(", ");

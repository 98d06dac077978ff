import { DEFAULT_RUNTIME } from "../../adapters/runtimes/registry.ts";
import type { Role } from "../../domain/agents/role.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import { costOf, dollars, priceOf } from "../../domain/breakers/money.ts";
import { HANDOFF_TOOL } from "../../domain/sessions/tool-names.ts";
import { BUILT_IN_RUNTIME } from "../../domain/settings/runtime-section.ts";
import { modelWritten, type RuntimeUse, runtimeUse } from "../../domain/settings/runtime-use.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { TOOLS } from "../../engine/tools/catalog.ts";
import { agentPrograms } from "../../server/agent-programs.ts";
import { isInstalled, programFinding } from "../../server/start-checks/runtime.ts";
import type { CommandContext } from "../command.ts";
import { dataDirectory } from "../data-directory.ts";
import { working } from "../progress.ts";
import { refused } from "../refused.ts";
import { builtInTrial } from "../runtimes/built-in.ts";
import { refuseUnreadable } from "../runtimes/file-faults.ts";
import { creates, NOTE, scriptedTurn, type Trial, type Turn } from "../runtimes/scripted-turn.ts";
import { trialRunner } from "../runtimes/trial-runner.ts";
import { settingsHere } from "../settings-here.ts";
import { rolePrompt } from "./roles.ts";

const LIMIT_MS = 120_000;
const CENT = 10_000;

/** `flotilla agents try`: a turn as an agent of the role has it, against a scripted model, and what it would cost. */
export async function tryRole(context: CommandContext): Promise<number> {
  const [, name, ...more] = context.args;
  if (name === undefined || more.length > 0)
    return refused(context, "Run `flotilla agents try <role>`.", "`flotilla roles list` shows the roles.");
  const settings = settingsHere(context);
  const role = settings.roles.get(name);
  if (role === undefined)
    return refused(context, `There is no role "${name}".`, "`flotilla roles list` shows them.", "not_found");
  const { print, options, env } = context;
  const use = runtimeUse(role, settings);
  const found = runtimeHere(context, settings, use);
  if ("what" in found) return refused(context, `${found.what}.`, `${found.next}.`);
  const runner = trialRunner(settings.sandbox, env);
  if (runner === null)
    return refused(
      context,
      "bubblewrap is not installed, and the configuration runs agents in the sandbox.",
      "Install bubblewrap, for example with `apt-get install bubblewrap`.",
    );
  const as = asRole(role, settings, use);
  const turn = await working(`${name} works`, () =>
    scriptedTurn({ create: found.create, api: found.api, runner, env, as }),
  );
  const isGood = turn.end === "idle" && turn.called && turn.started.length === 0;
  const limits = limitsFor(settings, role);
  const { model } = use.models[0];
  const price = priceOf(settings.runtime.prices, model, model);
  const cost = price === undefined ? null : costOf(price, { ...turn.used, cachedTokens: 0 });
  if (options["json"] === true) {
    const { runtime } = use;
    const asked = modelWritten(use.models[0]);
    print(JSON.stringify({ role: name, runtime, model: asked, good: isGood, ...turn, costMicroUsd: cost }));
    return isGood ? 0 : 2;
  }
  const effort = use.effort === undefined ? "" : `, effort ${use.effort}`;
  print(`${name} runs as ${use.runtime} (${found.title}) with ${modelWritten(use.models[0])}${effort}.`);
  const why = turn.detail === null ? "" : ` (${turn.detail})`;
  print(`Its turn ended as ${turn.end}${why}, ${turn.called ? "with" : "without"} a call of ${as.calls}.`);
  print(usedText(turn));
  print(costText(cost, model, limits.maxCostUsd));
  print(
    `An agent of ${name} may make ${limits.maxTurns} model calls and ${limits.maxToolCalls} tool calls, and use ${number(limits.maxTokens)} tokens.`,
  );
  if (role.mcpTools.length > 0)
    print("Its tools of MCP servers are not in these numbers: no server was started.");
  print(
    turn.started.length === 0
      ? "It started no program that the repository's files name."
      : `It started programs that these files of the repository name: ${turn.started.join(", ")}.`,
  );
  for (const sentence of found.cannot) print(sentence);
  return isGood ? 0 : 2;
}

interface Here extends Pick<Trial, "create" | "api"> {
  readonly title: string;
  readonly cannot: readonly string[];
}

/** Returns the role's runtime, or why it cannot run here. */
function runtimeHere(
  context: Pick<CommandContext, "env" | "cwd">,
  settings: Settings,
  { runtime, models: [{ provider }] }: RuntimeUse,
): Here | { readonly what: string; readonly next: string } {
  if (runtime === BUILT_IN_RUNTIME) {
    const at = provider === null ? settings.runtime.provider : settings.providers[provider];
    const title = `${DEFAULT_RUNTIME.title} ${DEFAULT_RUNTIME.version()}`;
    return { ...builtInTrial(at), title, cannot: [] };
  }
  const dataDir = dataDirectory(context);
  refuseUnreadable(dataDir);
  const places = { dataDir, cwd: context.cwd, path: context.env["PATH"] ?? "" };
  const program = agentPrograms(settings, places).find(({ name }) => name === runtime);
  // The configuration is refused where it names a runtime that is not there.
  if (program === undefined)
    return { what: `there is no runtime ${runtime}`, next: "Correct the configuration" };
  const finding = programFinding(program);
  if (finding !== null && !isInstalled(program)) return finding;
  const { title, api, cannot } = program.preset;
  return {
    create: creates(program),
    title,
    api,
    cannot: [...(finding === null ? [] : [`${finding.what}.`]), ...cannot],
  };
}

/** Returns what an agent of the role is like. Its tool without arguments is called, else one more is added for that. */
function asRole(role: Role, settings: Settings, use: RuntimeUse): NonNullable<Trial["as"]> {
  const limits = limitsFor(settings, role);
  const own = TOOLS.filter(({ name }) => role.tools.includes(name) || name === HANDOFF_TOOL);
  const simple = own.find(
    ({ terminal, parameters: { required } }) =>
      !terminal && (!Array.isArray(required) || required.length === 0),
  );
  const tools = simple === undefined ? [...own, NOTE] : own;
  let turns = 0;
  return {
    systemPrompt: rolePrompt(role, settings),
    capabilities: role.capabilities,
    model: use.models[0].model,
    effort: use.effort,
    temperature: role.temperature,
    deadlineMs: Math.min(LIMIT_MS, limits.maxActiveDurationMs),
    mayCallModel: () => {
      turns += 1;
      return turns > limits.maxTurns ? "the limit max_turns is reached" : null;
    },
    tools: tools.map(({ name, description, parameters, terminal }) => ({
      name,
      description,
      parameters,
      terminal,
    })),
    calls: simple?.name ?? NOTE.name,
  };
}

const number = (count: number): string => count.toLocaleString("en");

function usedText({ modelCalls, used, firstCallMs, promptTokens }: Turn): string {
  if (firstCallMs === null || promptTokens === null) return "It asked its model for nothing.";
  return `${modelCalls} model calls used about ${number(used.inputTokens)} tokens of prompts and ${number(used.outputTokens)} of answers; the longest prompt had ${number(promptTokens)}. The first came after ${firstCallMs} ms.`;
}

function costText(cost: number | null, model: string, maxCostUsd: number | undefined): string {
  const limit = maxCostUsd === undefined ? "" : `; an agent of the role may spend $${maxCostUsd.toFixed(2)}`;
  if (cost === null)
    return `There is no price for ${model} in \`runtime.prices\`, so what this costs is not known.`;
  return `By \`runtime.prices\` this costs about ${cost < CENT ? "less than a cent" : dollars(cost)}${limit}.`;
}

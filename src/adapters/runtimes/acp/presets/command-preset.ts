import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { RuntimeTool } from "../../../../domain/ports/agent-runtime.ts";
import type { Api } from "../../gateway/dialects/dialect.ts";
import { type AgentPlace, MCP_NAME, type Preset } from "../preset.ts";
import { reads, runs } from "./known-tools.ts";

/** A program of the operator, as the configuration describes it. */
export interface CommandSetting {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly tools?:
    | {
        readonly read: readonly string[];
        readonly edit: readonly string[];
        readonly shell: readonly string[];
      }
    | undefined;
  readonly gate?: Preset["gate"] | undefined;
}

/** A preset whose program is the same wherever it works. */
interface CommandPreset extends Preset {
  command(): { readonly file: string; readonly args: readonly string[] };
}

const edits: RuntimeTool = { kind: "edit", capability: "edit" };
/** Where agents that know our MCP server put its name before those of our tools. */
const PREFIXES = ["mcp__", "mcp_", "mcp.", ""].flatMap((before) =>
  ["__", "_", "-", ".", "/"].map((after) => `${before}${MCP_NAME}${after}`),
);

/**
 * Returns what is known of a program of the operator. It gets its role in the session's `systemPrompt`, and as `role.md` in its state.
 * Relative paths of the command are seen from `cwd`; a program without a slash is looked up in `path`.
 */
export function commandPreset(
  name: string,
  { command, env = {}, tools, gate = "permission" }: CommandSetting,
  given: { readonly api: Api; readonly cwd: string; readonly path: string },
): CommandPreset {
  const [program = "", ...written] = command;
  const file = programPath(program, given);
  const files = written.map((argument) => pathIn(argument, given.cwd));
  return {
    name,
    title: name,
    package: null,
    command: () => ({ file, args: written.map((argument, index) => files[index] ?? argument) }),
    readable: [file, ...files].flatMap((path) => (path === null ? [] : [dirname(path)])),
    api: given.api,
    env: (place) =>
      Object.fromEntries(Object.entries(env).map(([key, text]) => [key, filledIn(text, place)])),
    files: ({ systemPrompt }) => ({ "state/role.md": systemPrompt }),
    tools: new Map([
      ...(tools?.read ?? []).map((tool) => [tool, reads] as const),
      ...(tools?.edit ?? []).map((tool) => [tool, edits] as const),
      ...(tools?.shell ?? []).map((tool) => [tool, runs("command")] as const),
    ]),
    toolName: (raw) => {
      const prefix = PREFIXES.find((one) => raw.startsWith(one)) ?? "";
      return raw.slice(prefix.length);
    },
    gate,
    instructions: "systemPrompt",
    resume: "load",
    callMs: 60_000,
    endsWithInput: false,
    conversation: { files: ["state/*", "state/*/*", "state/*/*/*"], portable: false },
    cannot: ["Its conversations do not move to another machine."],
  };
}

function filledIn(text: string, { gateway, key, model, state }: AgentPlace): string {
  return text
    .replaceAll("{gateway}", gateway)
    .replaceAll("{key}", key)
    .replaceAll("{model}", model)
    .replaceAll("{state}", state);
}

/** Returns the absolute path of the program; `node` is the one that runs Flotilla. */
function programPath(
  program: string,
  { cwd, path }: { readonly cwd: string; readonly path: string },
): string {
  if (program === "node") return process.execPath;
  if (program.includes("/")) return resolve(cwd, program);
  const found = path.split(delimiter).map((directory) => join(directory, program));
  return found.find((one) => isAbsolute(one) && existsSync(one)) ?? resolve(cwd, program);
}

/** Returns the absolute path of an argument that names a file or directory; null for any other. */
function pathIn(argument: string, cwd: string): string | null {
  return argument.includes("/") && existsSync(resolve(cwd, argument)) ? resolve(cwd, argument) : null;
}

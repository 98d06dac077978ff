import { parseArgs } from "node:util";
import { COMMON, type Command } from "../../src/cli/command.ts";
import { everyCommand } from "../../src/cli/commands.ts";

const commands = await everyCommand();

/** Why Flotilla's command line would refuse these arguments before it does anything; null where it takes them. */
export function flotillaFault(args: readonly string[]): string | null {
  const [name = "", ...rest] = args;
  if (["help", "--help", ""].includes(name)) return null;
  const command = commands.find((known) => known.name === name);
  if (command === undefined) return `there is no command ${name}`;
  const options = Object.fromEntries(
    Object.entries(optionsOf(command)).map(([key, { type }]) => [key, { type }]),
  );
  try {
    const { positionals } = parseArgs({
      args: [...rest],
      options,
      allowPositionals: true,
    });
    return verbFault(command, positionals[0]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function optionsOf({ options }: Command): Command["options"] {
  return { ...options, ...COMMON };
}

/** A first argument must be one of the command's verbs, where it has any. */
function verbFault({ name, verbs = {} }: Command, verb?: string): string | null {
  if (verb === undefined || Object.keys(verbs).length === 0 || Object.hasOwn(verbs, verb)) return null;
  return `flotilla ${name} has no verb ${verb}`;
}

/**
 * The same for what stands in a sentence, where words in brackets, alternatives and `…` are for the reader: the command,
 * its verbs and its options must be there. Null also for what is no command of Flotilla's.
 */
export function spokenFault(span: string): string | null {
  const [, said] = /^(?:npm run flotilla -- |npx flotilla |flotilla )(.+)$/.exec(span) ?? [];
  if (said === undefined) return null;
  const [name = "", ...words] = said.replaceAll("\\|", "|").split(/[\s[\]]+/);
  const command = commands.find((known) => known.name === name);
  if (command === undefined)
    return ["help", "--help", "<command>"].includes(name) ? null : `there is no command ${name}`;
  const unknown = words
    .filter((word) => word.startsWith("--"))
    .find((word) => !Object.hasOwn(optionsOf(command), word.slice(2).split("=")[0] ?? ""));
  if (unknown !== undefined) return `flotilla ${name} has no option ${unknown}`;
  const verbs = /^[a-z]+(\|[a-z]+)*$/.test(words[0] ?? "") ? (words[0] ?? "").split("|") : [];
  return verbs.map((verb) => verbFault(command, verb)).find((fault) => fault !== null) ?? null;
}

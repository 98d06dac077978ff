import { COMMON, type Command, type Option } from "./command.ts";

/** The completions after one command. */
export interface Completions {
  readonly name: string;
  readonly says: string;
  readonly verbs: readonly (readonly [string, string])[];
  readonly options: readonly (readonly [string, Option])[];
}

/** Returns `help` and every command, with its first arguments and options. */
export function completionsOf(commands: readonly Command[]): readonly Completions[] {
  const help: Completions = {
    name: "help",
    says: "list the commands, or print the help of one",
    verbs: commands.map(({ name, summary }) => [name, summary]),
    options: [],
  };
  return [
    help,
    ...commands.map(({ name, summary, verbs = {}, options }) => ({
      name,
      says: summary,
      verbs: Object.entries(verbs),
      options: Object.entries({ ...options, ...COMMON }),
    })),
  ];
}

/** Returns the kind of words after an option: known ones, names of files or directories, or unknown ones. */
export function argumentOf({
  type,
  value,
  values,
}: Option): "none" | "words" | "file" | "directory" | "free" {
  if (type === "boolean") return "none";
  if (values !== undefined) return "words";
  return value === "file" || value === "directory" ? value : "free";
}

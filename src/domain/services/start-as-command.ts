import { inlineCode } from "../messages/inline-code.ts";

/** The start of services stands among the commands of a claim by their keys in the repository's file; no shell has such a command. */
const KEY = "services.";
const SERVICE = /^services\.[a-z][a-z0-9-]*$/;

export function startAsCommand(names: readonly string[]): string {
  return names.map((name) => `${KEY}${name}`).join(", ");
}

/** Returns the names of the services whose start is this command, for people; null for a command of a shell. */
export function notStarted(command: string): string | null {
  const keys = command.split(", ");
  if (!keys.every((key) => SERVICE.test(key))) return null;
  const names = keys.map((key) => inlineCode(key.slice(KEY.length))).join(", ");
  return `${keys.length === 1 ? "the service" : "the services"} ${names}`;
}

import type { CommandContext, Option } from "./command.ts";

/** The option that names the roles of a process, in place of FLOTILLA_ROLE. */
export const ROLE: Option = {
  type: "string",
  value: "roles",
  says: "only these parts: intake, controller, runner, web, separated by commas",
};

/** Returns the environment with the roles that the command line names. */
export function withRole(
  env: CommandContext["env"],
  options: CommandContext["options"],
): CommandContext["env"] {
  const role = options["role"];
  return typeof role === "string" ? { ...env, FLOTILLA_ROLE: role === "" ? "none" : role } : env;
}

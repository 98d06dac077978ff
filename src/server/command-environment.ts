import { passedVariables } from "../domain/access/host-variables.ts";

/** Returns the environment of setup and acceptance commands, except their home. */
export function commandEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return { LANG: "C.UTF-8", ...passedVariables(hostEnv) };
}

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { messageOf, StartupRefused } from "../domain/kernel/errors.ts";
import { bundledFile } from "../domain/settings/bundled-file.ts";
import { type Scenario, scenarioSchema } from "./scenario.ts";

/** The demo's default scenario: sleep, wake, escalate, finish. */
export const MAIN_SCENARIO = fileURLToPath(bundledFile("scenarios/main.yaml", import.meta.url));

/** Reads a scenario file. Throws `StartupRefused` with the faults of the file. */
export function readScenario(path: string): Scenario {
  let written: unknown;
  try {
    written = parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new StartupRefused([`the scenario ${path} cannot be read: ${messageOf(error)}`]);
  }
  const read = scenarioSchema.safeParse(written);
  if (!read.success)
    throw new StartupRefused([`the scenario ${path} has faults:\n${z.prettifyError(read.error)}`]);
  return read.data;
}

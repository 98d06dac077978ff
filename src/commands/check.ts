import { resolve } from "node:path";
import { readSettings } from "../config/read-settings.ts";
import { TOOL_NAMES } from "../tools/catalog.ts";
import type { Command } from "./command.ts";

export const check: Command = {
  name: "check",
  summary: "check the configuration and the role files, without starting anything",
  usage: "flotilla check",
  details: ["Names every fault at once, each with its path. The file is FLOTILLA_CONFIG, or config.yaml."],
  options: {},
  examples: ["flotilla check", "FLOTILLA_CONFIG=staging.yaml flotilla check --json"],
  async run({ env, cwd, print, options }) {
    const path = resolve(cwd, env["FLOTILLA_CONFIG"] || "config.yaml");
    const { settings, faults, notices } = readSettings({ path, cwd, variables: env, knownTools: TOOL_NAMES });
    const roles = settings === undefined ? [] : [...settings.roles.keys()];
    if (options["json"] === true) {
      print(JSON.stringify({ path, ok: faults.length === 0, faults, notices, roles }));
    } else {
      for (const fault of faults) print(`fault: ${fault}`);
      for (const notice of notices) print(`notice: ${notice}`);
      print(
        faults.length === 0
          ? `${path} is in order. Roles: ${roles.join(", ")}.`
          : `${faults.length} to put right.`,
      );
    }
    return faults.length === 0 ? 0 : 1;
  },
};

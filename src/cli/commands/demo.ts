import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { bubblewrapFindings } from "../../server/make-runner.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { Command } from "../command.ts";
import { refused } from "../refused.ts";

export const demo: Command = {
  name: "demo",
  summary: "try Flotilla on this machine, without an account or a key",
  usage: "flotilla demo [--once] [--scenario file.yaml]",
  details: [
    "Starts a local GitHub and a scripted model on 127.0.0.1, connects the real Flotilla to them, and plays a scenario.",
    "With --json each line is a JSON document { said }; the last one is { ok }.",
  ],
  options: {
    once: { type: "boolean", says: "exit after the scenario; exit code 0 if it ended as expected" },
    scenario: {
      type: "string",
      value: "file",
      says: "play this scenario instead of src/demo/scenarios/main.yaml",
    },
  },
  examples: ["npm run demo", "flotilla demo --once --scenario my-story.yaml"],
  async run(context) {
    const { options, args, cwd, print } = context;
    if (args[0] !== undefined)
      return refused(
        context,
        `flotilla demo takes no argument, and got "${args[0]}".`,
        "Write its options without `--` before them: `flotilla demo --once`.",
      );
    const { scenario } = options;
    const path = typeof scenario === "string" ? resolve(cwd, scenario) : undefined;
    if (path !== undefined && !existsSync(path))
      return refused(
        context,
        `There is no file ${path}.`,
        "Name a scenario that exists, or leave --scenario out.",
        "not_found",
      );
    const { MAIN_SCENARIO } = await import("../../demo/read-scenario.ts");
    const { runDemo } = await import("../../demo/run-demo.ts");
    const [missing] = await bubblewrapFindings([], systemClock);
    const stop = new Promise((stopped) => {
      process.once("SIGINT", stopped);
      process.once("SIGTERM", stopped);
    });
    const json = options["json"] === true;
    const code = await runDemo({
      scenario: path ?? MAIN_SCENARIO,
      once: options["once"] === true,
      unconfined: missing?.what ?? null,
      print: json ? (said) => print(JSON.stringify({ said })) : print,
      stop,
    });
    if (json) print(JSON.stringify({ ok: code === 0 }));
    return code;
  },
};

import { resolve } from "node:path";
import type { Command } from "./command.ts";
import { bubblewrapFindings } from "./make-runner.ts";
import { systemClock } from "./system-clock.ts";

export const demo: Command = {
  name: "demo",
  summary: "see the main job on this machine, without an account or a key",
  usage: "flotilla demo [--once] [--scenario file.yaml]      (npm run demo -- --once)",
  details: [
    "Starts a local GitHub and a scripted model on 127.0.0.1 and the real Flotilla between them, and plays a scenario.",
    "",
    "  --once             end after the scenario (exit code 0 when it came out as it should)",
    "  --scenario FILE    another scenario; src/demo/scenarios/main.yaml is the one played by default",
  ],
  options: { once: { type: "boolean" }, scenario: { type: "string" } },
  async run({ options, cwd, print }) {
    // The stand-ins need packages that an installation for production leaves out.
    const { MAIN_SCENARIO } = await import("../demo/read-scenario.ts");
    const { runDemo } = await import("../demo/run-demo.ts");
    const { scenario } = options;
    const [missing] = await bubblewrapFindings([], systemClock);
    const stop = new Promise((stopped) => {
      process.once("SIGINT", stopped);
      process.once("SIGTERM", stopped);
    });
    return runDemo({
      scenario: typeof scenario === "string" ? resolve(cwd, scenario) : MAIN_SCENARIO,
      once: options["once"] === true,
      unconfined: missing?.what ?? null,
      print,
      stop,
    });
  },
};

import { homedir } from "node:os";
import { dirname } from "node:path";
import type { Config } from "../config/load-config.ts";
import { StartupRefused } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { Runner } from "../core/ports/runner.ts";
import { gitDataOf } from "../git/git-data.ts";
import { createBubblewrapRunner, type SandboxHost } from "../sandbox/bubblewrap.ts";
import { findBubblewrap } from "../sandbox/find-bubblewrap.ts";
import { createUnconfinedRunner } from "../sandbox/none.ts";
import { probeSandbox, type SandboxFinding } from "../sandbox/probe.ts";
import { sentence } from "./start-checks/finding.ts";

type Confined = Pick<Config, "environment" | "sandbox">;

/**
 * The runner that the configuration asks for, said aloud where it confines nothing. Throws `StartupRefused` where
 * bubblewrap is asked for and is missing or does not confine: there is no going on without it.
 */
export async function makeRunner(config: Confined, clock: Clock, log: Log): Promise<Runner> {
  if (config.sandbox.mode === "none") {
    const runner = createUnconfinedRunner(clock);
    log.warn({ sandbox: "none" }, runner.description);
    return runner;
  }
  const findings = await sandboxFindings(config, clock);
  if (findings.length > 0) throw new StartupRefused(findings.map(sentence));
  const host = hostOf(config, clock);
  const { dataDir } = config.environment;
  const runner = createBubblewrapRunner({ ...host, gitOf: (directory) => gitDataOf(dataDir, directory) });
  log.info({ sandbox: "bubblewrap", network: config.sandbox.network }, runner.description);
  return runner;
}

/** What is wrong with the sandbox that the configuration asks for; nothing where it asks for none. */
export async function sandboxFindings(config: Confined, clock: Clock): Promise<readonly SandboxFinding[]> {
  if (config.sandbox.mode === "none") return [];
  const host = hostOf(config, clock);
  if (host.bwrap !== "") return probeSandbox(host);
  const next =
    "Install it (`apt-get install bubblewrap`), or write `sandbox: { mode: none }` for private repositories and code that you trust";
  return [{ about: "sandbox", what: "bubblewrap is not installed", next }];
}

function hostOf({ environment }: Confined, clock: Clock): Omit<SandboxHost, "gitOf"> {
  const { dataDir, configPath } = environment;
  return {
    clock,
    bwrap: findBubblewrap(process.env["PATH"] ?? "") ?? "",
    hidden: [homedir(), dataDir, dirname(configPath), process.cwd()],
  };
}

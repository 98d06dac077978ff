import { homedir } from "node:os";
import { dirname } from "node:path";
import { gitDataOf } from "../adapters/git/process/git-data.ts";
import { createBubblewrapRunner } from "../adapters/sandbox/bubblewrap.ts";
import { createEgress } from "../adapters/sandbox/egress/egress.ts";
import { findBubblewrap } from "../adapters/sandbox/find-bubblewrap.ts";
import type { AgentGroups } from "../adapters/sandbox/groups/agent-groups.ts";
import { homeDirectories } from "../adapters/sandbox/home-directories.ts";
import { createBubblewrapIsolation } from "../adapters/sandbox/isolation.ts";
import { createUnconfinedRunner } from "../adapters/sandbox/none.ts";
import { probeSandbox, type SandboxFinding } from "../adapters/sandbox/probe.ts";
import { probeIsolation } from "../adapters/sandbox/probe-isolation.ts";
import { createStandstill } from "../adapters/sandbox/standstill.ts";
import { toolchains } from "../adapters/sandbox/toolchains.ts";
import type { Config } from "../config/load-config.ts";
import { StartupRefused } from "../domain/kernel/errors.ts";
import type { Clock } from "../domain/ports/clock.ts";
import type { Log } from "../domain/ports/log.ts";
import type { Isolation, Runner } from "../domain/ports/runner.ts";
import { commandEnvironment } from "./command-environment.ts";
import type { ShutdownStack } from "./shutdown-stack.ts";
import { sentence } from "./start-checks/finding.ts";

type Confined = Pick<Config, "environment" | "sandbox">;

/**
 * Creates the configured runner. Warns if it confines nothing. Throws `StartupRefused` if bubblewrap is configured but
 * missing or does not confine: Flotilla never continues without it.
 */
export async function makeRunner(
  config: Confined & Pick<Config, "registries"> & { readonly secrets: Pick<Config["secrets"], "registries"> },
  {
    clock,
    log,
    releases,
    groups,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    readonly releases: ShutdownStack;
    readonly groups: AgentGroups;
  },
): Promise<Runner> {
  if (config.sandbox.mode === "none") {
    const runner = createUnconfinedRunner(clock, groups);
    log.warn({ sandbox: "none", description: runner.description }, "agents are not confined");
    return runner;
  }
  const findings = await sandboxFindings(config, clock);
  if (findings.length > 0) throw new StartupRefused(findings.map(sentence));
  const { dataDir } = config.environment;
  const { privateHosts } = config.sandbox;
  const egress = createEgress(log, { registries: config.secrets.registries, privateHosts });
  releases.add("ways out of the sandboxes", () => egress.close());
  const runner = createBubblewrapRunner({
    clock,
    bwrap: hereOf(process.env["PATH"] ?? "").bwrap,
    hidden: hiddenBy(config),
    egress,
    registries: config.registries,
    gitOf: (directory) => gitDataOf(dataDir, directory),
    groups,
  });
  if (isUserRoot()) log.warn({ advice: ROOT_IS_UNSAFE }, "flotilla runs as root");
  const { network } = config.sandbox;
  log.info({ sandbox: "bubblewrap", network, description: runner.description }, "agents are confined");
  return runner;
}

/** The kernel does not enforce the process limit for root, so the sandbox's limit binds only other users. */
export const ROOT_IS_UNSAFE =
  "an agent can start processes without limit, and whatever leaves a sandbox may do everything here; run it as a user of its own, as docs/deploy.md shows";

export function isUserRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Returns how our own git isolates work on agents' files; depends on the configured sandbox. */
export function makeIsolation({ environment, sandbox }: Confined): Isolation {
  if (sandbox.mode === "none") return createStandstill(environment.dataDir);
  return createBubblewrapIsolation(hereOf(process.env["PATH"] ?? ""));
}

function hereOf(path: string): { readonly bwrap: string; readonly path: string } {
  return { bwrap: findBubblewrap(path) ?? "bwrap", path };
}

/** Returns what is wrong with the configured sandbox; nothing if none is configured. */
export async function sandboxFindings(config: Confined, clock: Clock): Promise<readonly SandboxFinding[]> {
  return config.sandbox.mode === "none" ? [] : bubblewrapFindings(hiddenBy(config), clock);
}

/**
 * Returns what keeps bubblewrap from confining on this machine. `hidden` are directories that must be invisible inside
 * the sandbox.
 */
export async function bubblewrapFindings(
  hidden: readonly string[],
  clock: Clock,
): Promise<readonly SandboxFinding[]> {
  const path = process.env["PATH"] ?? "";
  const bwrap = findBubblewrap(path);
  if (bwrap !== null) {
    const found = await probeSandbox({ clock, bwrap, hidden });
    return found.length > 0 ? found : probeIsolation(createBubblewrapIsolation({ bwrap, path }), path);
  }
  const next =
    "Install it (`apt-get install bubblewrap`), or write `sandbox: { mode: none }` for private repositories and code that you trust";
  return [{ about: "sandbox", what: "bubblewrap is not installed", next }];
}

/** Returns the additional paths of this machine that agents can see; none if nothing confines agents. */
export function shownToAgents(
  config: Confined,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (config.sandbox.mode === "none") return [];
  return toolchains(commandEnvironment(env), hiddenBy(config)).map(({ to }) => to);
}

function hiddenBy({ environment }: Confined): readonly string[] {
  return [
    homedir(),
    ...homeDirectories(),
    environment.dataDir,
    dirname(environment.configPath),
    process.cwd(),
  ];
}

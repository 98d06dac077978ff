import { agentHosts, agentReadsRegistries } from "../../domain/access/confinement.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { outputWithRefusals } from "../../domain/conversation/setup-failure.ts";
import { commandsLeft, failedCommands } from "../../domain/evidence/claimed-commands.ts";
import type { Missing } from "../../domain/evidence/missing.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { type ProvedCommand, runBesideServices } from "./beside-services.ts";
import { removeCheckout } from "./remove-checkout.ts";
import { reuseInCheckout } from "./reuse-setup.ts";
import { runShell, type ShellDirectory } from "./run-shell.ts";
import { setupReach } from "./shell-reach.ts";
import { screensDue, takeScreens } from "./take-screens.ts";

/** One claim of an agent on one commit. */
export interface ClaimedCommit {
  readonly intentId: number;
  readonly ref: WorktreeRef;
  readonly commit: string;
}

/**
 * Runs the acceptance commands in a clean checkout of the claimed commit, prepared by the setup commands, and
 * returns those that fail. Where all succeed, pictures of the app are taken there, if the settings want any. Reuses results of the same claim and commit, even from an earlier process. Null
 * when `signal` stopped it.
 */
export async function proveCommands(
  context: EngineContext,
  agent: AgentRecord,
  claim: ClaimedCommit,
  signal: AbortSignal,
): Promise<readonly Missing[] | null> {
  const { commands } = context.settingsOf(agent.repositoryId).evidence;
  const ran = await context.store.evidence.ofClaim(claim.intentId);
  const left = commandsLeft(commands, ran, claim.commit);
  const hasFailed = failedCommands(ran, claim.commit).length > 0;
  const shoots = !hasFailed && (await screensDue(context, agent, claim.commit));
  if (left.length > 0 || shoots) {
    if (!(await runInCheckout(context, agent, { claim, left, shoots, signal }))) return null;
  }
  return failedCommands(await context.store.evidence.ofClaim(claim.intentId), claim.commit);
}

/** Returns false when `signal` stopped it. */
async function runInCheckout(
  context: EngineContext,
  agent: AgentRecord,
  task: {
    readonly claim: ClaimedCommit;
    readonly left: readonly string[];
    /** Takes pictures of the app where all commands succeed. */
    readonly shoots: boolean;
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  const { claim, left, shoots, signal } = task;
  const place = await context.worktrees.checkout(claim.ref, claim.commit);
  try {
    const one = (kind: "setup" | "command", command: string) =>
      runOne(context, agent, { claim, place, kind, command, signal });
    const { commands } = context.settingsOf(agent.repositoryId).setup;
    const isReady = await reuseInCheckout(context, agent, claim);
    const all = [
      ...(isReady ? [] : commands.map((command) => ["setup", command] as const)),
      ...left.map((command) => ["command", command] as const),
    ];
    let holds = true;
    for (const [kind, command] of all) {
      const ran = await one(kind, command);
      if (ran === null) return false;
      if (ran.result.exitCode !== 0) holds = false;
      if (ran.kind === "setup" && !holds) return true;
    }
    return !shoots || !holds || (await takeScreens(context, agent, { claim, place, signal }));
  } finally {
    await removeCheckout(context, agent);
  }
}

async function runOne(
  context: EngineContext,
  agent: AgentRecord,
  task: {
    readonly claim: ClaimedCommit;
    readonly place: ShellDirectory;
    readonly kind: "setup" | "command";
    readonly command: string;
    readonly signal: AbortSignal;
  },
): Promise<ProvedCommand | null> {
  const { claim, place, kind, command, signal } = task;
  const runId = (await runOf(context.store, agent.id))?.id;
  const reach =
    kind === "setup"
      ? await setupReach(context, agent, place.home)
      : {
          writable: [place.home],
          hosts: agentHosts(context.settings),
          registries: agentReadsRegistries(context.settings),
          env: {},
        };
  const ran =
    kind === "setup"
      ? await runShell(context, agent, place, { purpose: "checkout", command, reach, signal })
      : await runBesideServices(context, agent, place, { purpose: "proof", command, reach, signal });
  if (ran === null || runId === undefined) return null;
  const row = "result" in ran ? ran : { kind, command, result: ran };
  const { result } = row;
  await context.store.evidence.add({
    agentId: agent.id,
    runId,
    intentId: claim.intentId,
    kind: row.kind,
    commit: claim.commit,
    command: row.command,
    holds: result.exitCode === 0,
    exitCode: result.exitCode,
    timedOut: result.timedOut,
    output: outputWithRefusals(result),
    durationMs: result.durationMs,
    digest: null,
    missing: null,
    confidence: null,
    createdAt: context.clock.now(),
  });
  context.crashPoint("evidence:command");
  return row;
}

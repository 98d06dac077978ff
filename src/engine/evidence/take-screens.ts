import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import {
  notStartedText,
  SCREEN_APP,
  screenFacts,
  screensWanted,
  type TakenScreen,
} from "../../domain/evidence/screens.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import { cleanText, printableLine } from "../../domain/messages/printable.ts";
import type { Shot, ShotFault } from "../../domain/ports/camera.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import { type ServiceFailure, serviceVariables } from "../../domain/services/service.ts";
import type { Screens } from "../../domain/settings/screens-setting.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runBeside } from "../services/run-beside.ts";
import { restoreMade } from "./reuse-setup.ts";
import { commandMark, runShell, type ShellDirectory } from "./run-shell.ts";
import { whileShown } from "./running-command.ts";
import { setupReach } from "./shell-reach.ts";

/** Characters of a fault that is kept, and of the output of an app that did not start. */
const MOST_FAULT = 1_500;
const MOST_OUTPUT = 8_000;

type Taken = Shot | ShotFault;

interface Claimed {
  readonly ref: WorktreeRef;
  readonly commit: string;
}

/** Returns whether pictures of the claimed commit are to be taken: the settings want some, and it has none of these yet. */
export async function screensDue(
  context: EngineContext,
  agent: AgentRecord,
  commit: string,
): Promise<boolean> {
  const wish = wishOf(context, agent);
  if (wish === null) return false;
  const rows = await context.store.screens.ofAgent(agent.id);
  return !rows.some((row) => row.commit === commit && row.digest === wish.digest);
}

/**
 * Takes the pictures of a claimed commit in its checkout, then those of the commit that it is based on, unless there are
 * some already, and keeps how they differ. Whatever fails is kept as the reason why there is no picture. Returns false
 * where `signal` stopped it. The checkout may be gone afterwards.
 */
export async function takeScreens(
  context: EngineContext,
  agent: AgentRecord,
  task: { readonly claim: Claimed; readonly place: ShellDirectory; readonly signal: AbortSignal },
): Promise<boolean> {
  const { claim, place, signal } = task;
  const wish = wishOf(context, agent);
  if (wish === null) return true;
  const after = await shoot(context, agent, wish.screens, { place, signal });
  if (signal.aborted) return false;
  const before = await shotsOfBase(context, agent, { ...wish, claim, signal });
  if (signal.aborted) return false;
  const rows: TakenScreen[] = [];
  for (const [at, { page, size }] of screensWanted(wish.screens).entries())
    rows.push({ page, size, ...(await compared(context, before[at], after[at])) });
  await context.store.screens.replace(agent.id, {
    commit: claim.commit,
    baseCommit: agent.baseCommit,
    digest: wish.digest,
    createdAt: context.clock.now(),
    screens: rows,
  });
  return true;
}

interface Wish {
  readonly screens: Screens;
  readonly digest: string;
}

function wishOf(context: EngineContext, agent: AgentRecord): Wish | null {
  const settings = context.settingsOf(agent.repositoryId);
  const { screens } = settings.evidence;
  if (screens === null) return null;
  const facts = screenFacts(settings, screens, context.camera.version() ?? "");
  return { screens, digest: context.digest(JSON.stringify(facts)) };
}

async function compared(context: EngineContext, before: Taken | undefined, after: Taken | undefined) {
  const [one, other] = [pictureOf(context, before), pictureOf(context, after)];
  const difference =
    one.shot === null || other.shot === null ? null : await context.camera.compare(one.shot, other.shot);
  const isCompared = difference !== null && "picture" in difference;
  return {
    before: one.shot?.bytes ?? null,
    after: other.shot?.bytes ?? null,
    difference: isCompared && difference.changed > 0 ? difference.picture : null,
    changed: isCompared ? difference.changed : null,
    beforeFault: one.fault,
    afterFault: other.fault,
  };
}

function pictureOf({ redact }: EngineContext, taken: Taken = { fault: "it was not taken" }) {
  return "fault" in taken
    ? { shot: null, fault: printableLine(cleanText(taken.fault, redact, MOST_FAULT)) }
    : { shot: taken, fault: null };
}

/** Returns the pictures of the base commit, in the order of those wanted; an earlier claim of the repository may have some. */
async function shotsOfBase(
  context: EngineContext,
  agent: AgentRecord,
  task: Wish & { readonly claim: Claimed; readonly signal: AbortSignal },
): Promise<readonly Taken[]> {
  const { screens, digest, claim, signal } = task;
  const { baseCommit, repositoryId } = agent;
  const wanted = screensWanted(screens);
  const all = (fault: string) => wanted.map(() => ({ fault }));
  if (baseCommit === null) return all("it is not known what the work is based on");
  const kept = await context.store.screens.before({ repositoryId, baseCommit, digest });
  const known = new Map(kept.map(({ page, size, before }) => [`${page} ${size}`, before]));
  const found = wanted.map(({ page, size }) => known.get(`${page} ${size}`));
  if (found.every((bytes) => bytes !== undefined)) return found.map((bytes) => ({ bytes }));
  try {
    const place = await context.worktrees.checkout(claim.ref, baseCommit);
    const reach = await setupReach(context, agent, place.home);
    const here = { ref: claim.ref, commit: baseCommit, into: "checkout" } as const;
    const isMade = (await restoreMade(context, agent, here)) !== null;
    for (const command of isMade ? [] : context.settingsOf(repositoryId).setup.commands) {
      const result = await runShell(context, agent, place, { purpose: "checkout", command, reach, signal });
      if (result?.exitCode !== 0) return all(`the setup command ${command} fails there`);
    }
    return await shoot(context, agent, screens, { place, signal });
  } catch (error) {
    return all(outsideFault(error));
  }
}

/** Pictures decide nothing, so what fails outside of the code only leaves them out. */
function outsideFault(error: unknown): string {
  if (error instanceof OutsideError) return error.message;
  throw error;
}

/** Starts the app beside the services, and takes a picture of each page in each size. */
async function shoot(
  context: EngineContext,
  agent: AgentRecord,
  screens: Screens,
  { place, signal: stop }: { readonly place: ShellDirectory; readonly signal: AbortSignal },
): Promise<readonly Taken[]> {
  const { camera, settings, runner } = context;
  const { services, setup, evidence } = context.settingsOf(agent.repositoryId);
  const wanted = screensWanted(screens);
  const all = (fault: string) => wanted.map(() => ({ fault }));
  if (settings.sandbox.mode === "none")
    return all("pictures are taken only in the sandbox, and sandbox.mode is none");
  if (camera.version() === null)
    return all("the host has no Chromium; the operator installs the package chromium");
  const { run, port, withinMs, env } = screens;
  const app = { run, ready: screens.ready ?? camera.readyAt(port), withinMs, env };
  const { file, args, readable, mostOutput } = camera.command(wanted);
  const mark = await commandMark(context, agent.id);
  const host = await runner.services();
  const ours = { HOME: place.home, TMPDIR: place.home, CI: "true", TZ: "UTC" };
  const shootBeside = (signal: AbortSignal) =>
    runner.run(
      {
        file,
        args,
        cwd: place.path,
        env: {
          ...setup.environment,
          ...serviceVariables({ ...services, app }),
          ...context.commandEnv,
          ...ours,
        },
      },
      {
        writable: [place.path, place.home],
        readable,
        hosts: [],
        registries: false,
        services: host,
        mark,
        timeoutMs: evidence.timeoutMs,
        signal,
        maxOutputBytes: mostOutput,
      },
    );
  try {
    const { result, failures } = await runBeside(context.clock, host, {
      services: [services, { [SCREEN_APP]: app }],
      directory: `${place.home}/services`,
      signal: stop,
      run: (signal) =>
        whileShown(context, agent, { purpose: "screens", command: run }, () => shootBeside(signal)),
    });
    if (failures.length > 0) return all(failedText(context, failures));
    return result === null ? all("it was not taken") : await camera.shots(wanted, result);
  } catch (error) {
    return all(outsideFault(error));
  }
}

function failedText({ redact }: EngineContext, failures: readonly ServiceFailure[]): string {
  return failures
    .map((one) => notStartedText({ ...one, log: cleanText(one.log, redact, MOST_OUTPUT) }))
    .join(" ");
}

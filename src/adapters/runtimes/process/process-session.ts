import type { AgentSession, ExchangeEnd, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import type { Runner } from "../../../domain/ports/runner.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import { markOf } from "./agent-environment.ts";
import type { RunningExchange } from "./exchange-state.ts";

/** How long a process may take for an orderly end before it is killed. */
const STOP_MS = 10_000;
/** Time limit for the answer to a probe. */
export const ANSWER_MS = 15_000;

/** The exchange under way, shared with what happens outside of it and may end it. */
export interface CurrentExchange<E extends RunningExchange> {
  exchange: E | undefined;
}

export type SessionProcesses = ReturnType<typeof processesOf>;

/** The processes that carry a session's mark. `memoryEnd`: why the system ended them for their memory, else null. */
export function processesOf(spec: SessionSpec, runner: Runner) {
  const mark = markOf(spec);
  return {
    kill: () => runner.killMarked([mark]),
    count: () => runner.countMarked([mark]),
    memoryEnd: () => runner.memoryEnd(mark),
  };
}

type Options = Parameters<AgentSession["exchange"]>[1];

/** What a session over one process needs of its runtime. */
interface Parts<E extends RunningExchange> {
  readonly spec: SessionSpec;
  readonly resumed: boolean;
  readonly version: string | null;
  readonly current: CurrentExchange<E>;
  readonly processes: SessionProcesses;
  readonly clock: Clock;
  readonly log: Log;
  begin(prompt: string, options: Options, lost: (isGone: boolean) => Promise<string | null>): E;
  /** Called at the end of each exchange. */
  ended(): void;
  /** Rejects where the process is gone. */
  ping(): Promise<unknown>;
  save(): Promise<unknown>;
  /** Ends the process, which `isLost` or has no exchange under way, with its conversation on disk. */
  endInOrder(isLost: boolean): Promise<void>;
  /** How the process ended, where more is known of it than that it is gone. */
  howEnded?(): Promise<string>;
  /** Kills the process. */
  kill(): void | Promise<void>;
  /** Cuts the killed process off from the host. */
  close(): void | Promise<void>;
}

/** One awake period of a conversation that a process of its own holds. */
export function createProcessSession<E extends RunningExchange>(parts: Parts<E>): AgentSession {
  const { current, processes, clock, log } = parts;
  const { sessionId: session } = parts.spec;
  let unusable: string | undefined;
  let isLost = false;
  let stopping: Promise<void> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function run(prompt: string, options: Options): Promise<ExchangeEnd> {
    if (unusable !== undefined) return { kind: "runtime_died", detail: unusable };
    const exchange = parts.begin(prompt, options, lost);
    current.exchange = exchange;
    const end = await exchange.ended;
    current.exchange = undefined;
    parts.ended();
    return end;
  }

  async function lost(isGone: boolean): Promise<string | null> {
    isLost = true;
    unusable = "the agent's process was lost; open the session again";
    log.warn({ session }, "runtime process lost");
    const why = processes.memoryEnd();
    const how = isGone ? await parts.howEnded?.() : undefined;
    await clear();
    return why ?? how ?? null;
  }

  /** Leaves nothing of the process: its shells would continue to work in the worktree. */
  async function clear(): Promise<void> {
    await parts.kill();
    await processes.kill();
    await parts.close();
  }

  async function stop(): Promise<void> {
    unusable ??= "the session was stopped";
    if (!(await within(STOP_MS, stopInOrder(), true)))
      log.warn({ session }, "runtime process killed: it did not stop in time");
    await clear();
    current.exchange?.close();
  }

  async function stopInOrder(): Promise<void> {
    await interrupt();
    await parts.endInOrder(isLost);
  }

  async function interrupt(): Promise<void> {
    current.exchange?.abort("aborted");
    await current.exchange?.ended;
  }

  async function save(): Promise<boolean> {
    if (unusable !== undefined) return false;
    let fault: unknown;
    const saved = parts.save().catch((error: unknown) => {
      fault = error;
      throw error;
    });
    if (await within(ANSWER_MS, saved, false)) return true;
    const answered = await answers();
    // A living session writes its file itself; requesting it at each turn would repeat that without end.
    if (answered) log.warn({ session, error: fault }, "session not saved at once");
    return answered;
  }

  const answers = (): Promise<boolean> => within(ANSWER_MS, parts.ping(), false);

  /** Returns whether the work ended within `ms`; `failed` where it failed. */
  function within(ms: number, work: Promise<unknown>, failed: boolean): Promise<boolean> {
    const ended = work.then(
      () => true,
      () => failed,
    );
    return withTimeout(clock, ms, ended, () => false);
  }

  return {
    resumed: parts.resumed,
    version: parts.version,
    exchange(prompt, options) {
      const end = queue.then(() => run(prompt, options));
      queue = end;
      return end;
    },
    interrupt,
    async probe() {
      const [answered, count] = await Promise.all([answers(), processes.count()]);
      return { process: answered || count > 0, answered };
    },
    save,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

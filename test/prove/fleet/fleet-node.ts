import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Served } from "../../../src/demo/served.ts";
import { messageOf } from "../../../src/domain/kernel/errors.ts";

type Start = (env: Readonly<Record<string, string>>, main: string | undefined) => Promise<Served>;

/** How long a process that could not start waits before it tries again, as a service manager does. */
const AGAIN_MS = 2_000;

/** What a node did of itself and was not asked to do. */
export interface Surprise {
  readonly node: string;
  readonly text: string;
}

/** One Flotilla process among several, and those that follow it by the same name on the same data directory. */
export class FleetNode {
  readonly name: string;
  readonly dataDir: string;
  /** Names of the crash points at which a process has ended itself. */
  readonly crashed: string[] = [];
  readonly surprises: Surprise[] = [];
  readonly #start: Start;
  readonly #armed: () => readonly string[];
  readonly #log: string;
  #main: string | undefined;
  #served: Served | null = null;
  #points: readonly string[] = [];
  #lives = 0;
  #paused = false;
  #closing = false;
  /** True while the process is asked to end, and the next one is of another version. */
  #replacing = false;
  /** Called when the next process listens. */
  #listens: (() => void) | null = null;
  /** True while the database is away, when no process can start. */
  #expectsRefusal = (): boolean => false;
  #life: Promise<void> = Promise.resolve();

  constructor(
    name: string,
    given: {
      readonly directory: string;
      readonly main: string | undefined;
      readonly start: Start;
      readonly expectsRefusal: () => boolean;
      /** The crash points at the first of which a process ends itself, where `kill` names none; not the first process. */
      readonly armed: () => readonly string[];
    },
  ) {
    this.name = name;
    this.dataDir = join(given.directory, name);
    this.#log = join(given.directory, `${name}.log`);
    mkdirSync(this.dataDir, { mode: 0o700 });
    this.#main = given.main;
    this.#start = given.start;
    this.#armed = given.armed;
    this.#expectsRefusal = given.expectsRefusal;
  }

  /** Its URL while it runs. */
  get url(): string | null {
    return this.isUp ? (this.#served?.url ?? null) : null;
  }

  get isUp(): boolean {
    return this.#served !== null && !this.#paused;
  }

  get isPaused(): boolean {
    return this.#paused;
  }

  /** Runs processes by this name, one after another, until it is closed. Resolves once the first one listens. */
  async begin(): Promise<void> {
    const listens = this.#nextListens();
    this.#life = this.#live();
    await listens;
  }

  /**
   * Ends the process in order; the next ones are of this program. Resolves once the next one listens, with the milliseconds
   * that the end took.
   */
  async replace(main: string): Promise<number> {
    const served = this.#served;
    if (served === null) throw new Error(`${this.name} does not run`);
    this.#main = main;
    this.#replacing = true;
    const listens = this.#nextListens();
    const began = performance.now();
    this.#signal("SIGTERM");
    await served.exited;
    const tookMs = performance.now() - began;
    await listens;
    return tookMs;
  }

  /** Kills the process. The next one ends itself at the first of these points. */
  kill(points: readonly string[]): void {
    this.#points = points;
    this.#signal("SIGKILL");
  }

  async pauseFor(ms: number): Promise<void> {
    const { pid } = this.#served ?? {};
    if (pid === undefined) return;
    this.#paused = true;
    this.#signal("SIGSTOP");
    await pause(ms);
    this.#signal("SIGCONT");
    this.#paused = false;
  }

  /** Ends the process in order, and starts no other. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#signal("SIGCONT");
    this.#signal("SIGTERM");
    await this.#life;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#served !== null) process.kill(this.#served.pid, signal);
  }

  #nextListens(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#listens = resolve;
    return promise;
  }

  async #live(): Promise<void> {
    while (!this.#closing) {
      const served = await this.#started();
      if (served === null) {
        await pause(AGAIN_MS);
        continue;
      }
      this.#served = served;
      this.#listens?.();
      const code = await served.exited;
      this.#served = null;
      this.#paused = false;
      this.#ended(served.log(), code);
      this.#replacing = false;
    }
  }

  async #started(): Promise<Served | null> {
    const points = this.#points.length > 0 || this.#lives === 0 ? this.#points : this.#armed();
    this.#points = [];
    this.#lives += 1;
    const env = { FLOTILLA_DATA_DIR: this.dataDir, FLOTILLA_NODE: this.name };
    try {
      return await this.#start({ ...env, FLOTILLA_CRASH_AT: points.join(",") }, this.#main);
    } catch (error) {
      this.#ended(messageOf(error), null);
      return null;
    }
  }

  /** Looks at how a process has ended. `code`: null when a signal ended it. */
  #ended(log: string, code: number | null): void {
    appendFileSync(this.#log, `${log}\n--- ended with ${String(code)}\n`);
    const point = /crash point (\S+)/.exec(log)?.[1];
    if (point !== undefined) this.crashed.push(point);
    else if (this.#replacing && code === 0) return;
    else if (!this.#closing && !this.#expectsRefusal() && (code !== null || /ended with/.test(log)))
      this.surprises.push({ node: this.name, text: log.slice(-600) });
  }
}

import {
  type Consequence,
  GitError,
  GitHubError,
  type OutsideError,
  RuntimeError,
} from "../../src/domain/kernel/errors.ts";
import type { Chance } from "./chance.ts";
import type { Turns } from "./turns.ts";

const SECOND = 1000;

/** What becomes of one call: done; done, but its answer takes its time; refused; done, but the answer is lost. */
type Fate = "done" | "slow" | "refused" | "lost";

/** What the ports of one life share. */
export interface Outside {
  readonly chance: Chance;
  readonly turns: Turns;
  /** Told of each call when it is made and of what became of it. */
  readonly note: (line: string) => void;
  readonly now: () => number;
  /** Share of the calls that go wrong; 0 once the faults have stopped. */
  faults: number;
  /** The share of the database's calls between which others may come; each costs some turns of the event loop. */
  readonly yielding: number;
}

export interface SimulatedLife {
  /** Where the process is. */
  readonly machine: string;
  over: boolean;
  /** The process is stopped, as by SIGSTOP: it goes on where it was, while the world has moved on. */
  readonly held: boolean;
}

/** Calls that may fail; of the others it is promised that they do not. */
const FAILING = /^(github\.|worktrees\.|runtime\.open$)/;

/** A port as one life sees it: each call waits for its turn, and then meets its fate. */
export function throughTurns<T extends object>(
  outside: Outside,
  life: SimulatedLife,
  name: string,
  port: T,
): T {
  const kept = new Map<PropertyKey, unknown>();
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const path = `${name}.${String(key)}`;
      if (typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map)) {
        if (!kept.has(key)) kept.set(key, throughTurns(outside, life, path, value));
        return kept.get(key);
      }
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]) =>
        call(outside, life, path, () => Reflect.apply(value, target, args));
    },
  });
}

function call(outside: Outside, life: SimulatedLife, path: string, act: () => unknown): Promise<unknown> {
  const { chance, turns } = outside;
  if (life.over) return never();
  turns.noticed();
  if (path.startsWith("store.") && !chance.happens(outside.yielding)) return whileAlive(outside, life, act());
  const answer = Promise.withResolvers<unknown>();
  const isOver = () => life.over;
  const isHeld = () => life.held;
  const { machine } = life;
  async function later(done: Promise<unknown>, lost: boolean): Promise<void> {
    try {
      const value = await done;
      if (lost) answer.reject(lostAnswer(path));
      else {
        const go = () => answer.resolve(value);
        turns.wait({ name: `answer of ${path}`, machine, since: outside.now(), isOver, isHeld, go });
      }
    } catch (error) {
      answer.reject(error);
    }
  }
  turns.wait({
    name: path,
    machine,
    since: outside.now(),
    isOver,
    isHeld,
    go: () => {
      const fate = fateOf(outside, path);
      if (fate !== "done") outside.note(`  ${fate}: ${path} of ${machine}`);
      if (fate === "refused") return answer.reject(faultOf(outside, path));
      const done = whileAlive(outside, life, act());
      if (fate === "done") return answer.resolve(done);
      void later(done, fate === "lost");
    },
  });
  return answer.promise;
}

function fateOf({ chance, faults }: Outside, path: string): Fate {
  if (!chance.happens(faults)) return "done";
  if (!FAILING.test(path)) return "slow";
  return chance.among<Fate>([
    [4, "slow"],
    [3, "refused"],
    // A runtime that could not be opened has left no process.
    [path.startsWith("runtime.") ? 0 : 3, "lost"],
  ]);
}

function faultOf({ chance, now }: Outside, path: string): OutsideError {
  const consequence = chance.among<Consequence>([
    [14, "retry"],
    [4, "park"],
    [1, "tell"],
    [1, "stop"],
  ]);
  const retryAt =
    consequence === "park"
      ? now() +
        chance.among([
          [1, 10],
          [1, 600],
        ]) *
          SECOND
      : undefined;
  return faultIn(path, { consequence, retryAt });
}

function lostAnswer(path: string): OutsideError {
  return faultIn(path, { consequence: "retry", uncertain: true });
}

function faultIn(path: string, options: ConstructorParameters<typeof OutsideError>[2]): OutsideError {
  const said = `${path}: no luck`;
  if (path.startsWith("github.")) return new GitHubError("unavailable", said, 502, options);
  if (path.startsWith("worktrees.")) return new GitError("unavailable", said, options);
  return new RuntimeError("unavailable", said, options);
}

async function whileAlive({ turns }: Outside, life: SimulatedLife, result: unknown): Promise<unknown> {
  try {
    const value = await result;
    turns.noticed();
    return life.over ? await never() : value;
  } catch (error) {
    turns.noticed();
    if (life.over) return never();
    throw error;
  }
}

function never(): Promise<never> {
  return new Promise<never>(() => {});
}

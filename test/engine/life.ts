import type { Clock } from "../../src/domain/ports/clock.ts";
import type { LogContext, WithLogContext } from "../../src/domain/ports/log.ts";

/** One life of the process: once it is over, nothing that belongs to it acts or hears back any more. */
export interface Life {
  readonly over: boolean;
  readonly ended: Promise<void>;
  /** As kill -9: now, wherever it is. */
  end(): void;
  /** The port as this life sees it. Every call is counted, and told to `onCall` before it is made. */
  port<T extends object>(name: string, port: T): T;
  /** Until every call of that port that was made has ended: a database carries out what it was sent, whoever waits for it. */
  carriedOut(name: string): Promise<void>;
  clock(clock: Clock): Clock;
  /** What was being done, as the log names it, each time that something was begun. */
  readonly named: readonly LogContext[];
  readonly within: WithLogContext;
}

export function beginLife(options: { onEnd: () => void; onCall: (call: string) => void }): Life {
  let over = false;
  const ended = Promise.withResolvers<void>();
  const named: LogContext[] = [];
  const underWay = new Map<Promise<unknown>, string>();

  function whileAlive(path: string, result: unknown): unknown {
    if (!(result instanceof Promise)) return result;
    underWay.set(result, path);
    return result.then(
      (value: unknown) => {
        underWay.delete(result);
        return over ? never() : value;
      },
      (error: unknown) => {
        underWay.delete(result);
        return over ? never() : Promise.reject(error);
      },
    );
  }

  function port<T extends object>(name: string, target: T): T {
    return new Proxy(target, {
      get(object, key) {
        const value: unknown = Reflect.get(object, key);
        const path = `${name}.${String(key)}`;
        if (typeof value === "function")
          return (...args: unknown[]) => {
            if (!over) options.onCall(path);
            return over ? never() : whileAlive(path, Reflect.apply(value, object, args));
          };
        // A map is what a port tells of itself, and no call.
        const isPort = typeof value === "object" && value !== null && !(value instanceof Map);
        return isPort ? port(path, value) : value;
      },
    });
  }

  return {
    get over() {
      return over;
    },
    ended: ended.promise,
    end() {
      if (over) return;
      over = true;
      ended.resolve();
      options.onEnd();
    },
    port,
    async carriedOut(name) {
      const calls = [...underWay].filter(([, path]) => path.startsWith(`${name}.`));
      await Promise.allSettled(calls.map(([call]) => call));
    },
    named,
    within: (doing, work) => {
      named.push(doing);
      return work();
    },
    clock: (clock) => ({
      now: () => clock.now(),
      after: (ms, fn) =>
        clock.after(ms, () => {
          if (!over) fn();
        }),
    }),
  };
}

function never(): Promise<never> {
  return new Promise<never>(() => {});
}

export function missing(): never {
  throw new Error("the rig has not begun");
}

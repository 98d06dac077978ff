import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";

/**
 * A port as one try of an effect has it: once the time of the try is over, whatever of it still continues begins no call
 * any more, since the next try may be under way, and would do the same again. `until` in milliseconds since the epoch.
 */
export function withDeadline<T extends object>(port: T, clock: Pick<Clock, "now">, until: number): T {
  return new Proxy(port, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown =>
        clock.now() < until
          ? Reflect.apply(value, target, given)
          : Promise.reject(
              new OutsideError("time_limit", `${String(name)} was not begun: the time of this try is over`, {
                consequence: "retry",
              }),
            );
    },
  });
}

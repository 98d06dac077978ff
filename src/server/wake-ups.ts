import type { Changes } from "../adapters/store/database.ts";
import { messageOf } from "../domain/kernel/errors.ts";
import type { MachineName } from "../domain/kernel/rows.ts";
import type { Clock } from "../domain/ports/clock.ts";
import type { Log } from "../domain/ports/log.ts";
import type { StoreObserver } from "../domain/ports/store-observer.ts";

/** The shortest time between two notifications that a process sends, and between two that it acts on. */
const LEAST_MS = 50;

/** Machines whose moves concern the process alone that runs the agent. */
const AT_ITS_PROCESS: ReadonlySet<MachineName> = new Set(["run", "session"]);

/** Tells the other processes after each commit that left them something to do or to read. */
export function tellsOthers(changes: Changes, clock: Clock): StoreObserver {
  const tell = paced(clock, LEAST_MS, () => changes.tell());
  const always = () => tell();
  return {
    calls: {
      deliveries: { insert: always, replay: always },
      effects: {
        add: ([effects]) => (effects.length > 0 ? tell() : undefined),
        settle: always,
        replay: always,
      },
      wakes: { add: always },
      transitions: {
        add: (moves) => (moves.some(({ machine }) => !AT_ITS_PROCESS.has(machine)) ? tell() : undefined),
      },
      scopePauses: { add: always, lift: always },
      tokenRequests: { add: always, answer: always },
    },
  };
}

/** Calls `act` when another process has told, and logs while nothing is heard. */
export function listenToOthers(
  changes: Changes,
  { clock, log, act }: { readonly clock: Clock; readonly log: Log; readonly act: () => void },
): void {
  changes.listen({
    told: paced(clock, LEAST_MS, act),
    lost: (error) =>
      log.warn(
        { error: messageOf(error) },
        "the database does not say what other machines write: this one looks each second until it does",
      ),
    back: () => log.info({}, "the database says again what other machines write"),
  });
}

/**
 * Returns a function that calls `act` once the work under way has yielded, and at least `leastMs` after its last call.
 * Calls in between are merged into one. `act` must not throw.
 */
export function paced(clock: Clock, leastMs: number, act: () => void): () => void {
  let isResting = false;
  let isWanted = false;
  const run = () => {
    isWanted = false;
    clock.after(leastMs, () => {
      isResting = false;
      if (isWanted) begin();
    });
    act();
  };
  const begin = () => {
    isResting = true;
    queueMicrotask(run);
  };
  return () => {
    isWanted = true;
    if (!isResting) begin();
  };
}

import type { Changes } from "../adapters/store/database.ts";
import { messageOf } from "../domain/kernel/errors.ts";
import type { MachineName } from "../domain/kernel/rows.ts";
import type { Clock } from "../domain/ports/clock.ts";
import type { Log } from "../domain/ports/log.ts";
import type { StoreObserver } from "../domain/ports/store-observer.ts";

/** A process tells others at most this often, and acts at most this often on what it is told. */
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
  });
}

/**
 * Returns what calls `act` as soon as its last call was `leastMs` ago, after all that is told in the same breath; many
 * calls meanwhile cause one. `act` must not throw.
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

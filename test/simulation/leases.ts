import type { ObserveStore } from "../../src/domain/ports/store-observer.ts";

/** One claim, as its process was told of it. */
interface Held {
  readonly token: string;
  readonly machine: string;
  /** The process has not heard yet what became of its outcome. */
  open: boolean;
}

/**
 * Who is at each effect and delivery, by what the store answers to the processes. How the store keeps them apart is not
 * looked at.
 */
export class Leases {
  readonly #held = new Map<string, Held>();
  readonly #onTaken: (machine: string) => void;
  /** Outcomes that the store took from a process while another claim was the latest. */
  readonly broken: string[] = [];

  /** `onTaken`: called with the machine that was at something when another one claimed it. */
  constructor(onTaken: (machine: string) => void) {
    this.#onTaken = onTaken;
  }

  /** Returns whether the process of this machine is at something. */
  isAtWork(machine: string): boolean {
    return this.#held.values().some((held) => held.machine === machine && held.open);
  }

  /** Observes what the store answers to a process that begins on this machine; the one before it is at nothing more. */
  of(machine: string): ObserveStore {
    for (const held of this.#held.values()) if (held.machine === machine) held.open = false;
    const taken = (what: string, token: string): void => {
      const before = this.#held.get(what);
      this.#held.set(what, { token, machine, open: true });
      if (before?.open === true && before.machine !== machine) this.#onTaken(before.machine);
    };
    const ended = (what: string, token: string, isWritten: boolean): void => {
      const held = this.#held.get(what);
      if (held?.token === token) held.open = false;
      else if (isWritten) this.broken.push(`${what} of claim ${token} while claim ${held?.token} has it`);
    };
    return () => ({
      calls: {
        effects: {
          lease: ([{ token }], rows) => {
            for (const { id } of rows) taken(effect(id), token);
          },
          settle: ([id, token], isWritten) => ended(effect(id), token, isWritten),
          retry: ([id, token], isWritten) => ended(effect(id), token, isWritten),
        },
        deliveries: {
          claim: ([{ token }], rows) => {
            for (const { guid } of rows) taken(delivery(guid), token);
          },
          settle: ([guid, token], isWritten) => ended(delivery(guid), token, isWritten),
          retry: ([guid, token], isWritten) => ended(delivery(guid), token, isWritten),
        },
      },
    });
  }
}

const effect = (id: number): string => `effect ${id}`;
const delivery = (guid: string): string => `delivery ${guid}`;

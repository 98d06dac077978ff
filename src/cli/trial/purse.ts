/** What a run may cost, and what becomes of it. */
export interface PurseShare {
  /** US dollars; undefined where nothing lowers the role's own limit. */
  readonly maxCostUsd: number | undefined;
  /** Puts back what the run did not spend of its share; `cost` in US dollars. */
  readonly giveBack: (cost: number) => void;
}

/** The least that a run gets, in US dollars: with less it could not even begin. */
const LEAST = 0.01;

/**
 * The money of a trial. A run gets at most what one run may cost by its role, and at most its part of what is left, shared
 * among the free slots: so all runs together never get more than the budget.
 */
export class Purse {
  readonly #slots: number;
  readonly #most: number | undefined;
  #left: number | undefined;
  #used = 0;

  constructor(given: {
    /** US dollars; undefined for no limit. */
    readonly budget: number | undefined;
    readonly spent: number;
    readonly slots: number;
    /** US dollars that one run may cost by its role. */
    readonly most: number | undefined;
  }) {
    this.#left = given.budget === undefined ? undefined : given.budget - given.spent;
    this.#slots = given.slots;
    this.#most = given.most;
  }

  /** Returns the share of the next run; null where too little is left. */
  take(): PurseShare | null {
    if (this.#left === undefined) return { maxCostUsd: undefined, giveBack: () => undefined };
    const part = this.#left / Math.max(1, this.#slots - this.#used);
    const share = Math.min(part, this.#most ?? part);
    if (share < LEAST) return null;
    this.#left -= share;
    this.#used += 1;
    let isBack = false;
    return {
      maxCostUsd: share === this.#most ? undefined : share,
      giveBack: (cost) => {
        if (isBack) return;
        isBack = true;
        this.#used -= 1;
        this.#left = (this.#left ?? 0) + share - cost;
      },
    };
  }
}

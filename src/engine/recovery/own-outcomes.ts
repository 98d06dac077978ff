import type { ObserveStore } from "../../domain/ports/store-observer.ts";
import type { Ended } from "../../domain/recovery/canary.ts";

/** Counts how the deliveries and effects ended that this process has taken. */
export class OwnOutcomes {
  readonly deliveries = new Count();
  readonly effects = new Count();

  readonly observe: ObserveStore = () => ({
    calls: {
      deliveries: {
        settle: ([, , outcome], settled) => {
          if (settled) this.deliveries.add(outcome === "dead");
        },
      },
      effects: {
        settle: ([, , { state }], settled) => {
          if (settled) this.effects.add(state === "failed");
        },
      },
    },
  });
}

class Count implements Ended {
  all = 0;
  failed = 0;

  add(isFailed: boolean): void {
    this.all += 1;
    if (isFailed) this.failed += 1;
  }
}

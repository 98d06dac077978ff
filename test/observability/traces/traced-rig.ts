import { AsyncLocalStorage } from "node:async_hooks";
import { observedStore } from "../../../src/adapters/store/observed-store.ts";
import type { DomainEvent } from "../../../src/domain/events/domain-event.ts";
import type { LogContext, WithLogContext } from "../../../src/domain/ports/log.ts";
import { type Traces, tracesTo } from "../../../src/observability/traces/create-traces.ts";
import { aRig, REPOSITORY, type Rig, type RigOptions } from "../../engine/rig.ts";
import { eachRuntime } from "../../engine/with-own-settings.ts";
import { CLAIM } from "../../factories/leases.ts";
import { type Taken, takesSpans } from "./taken.ts";

interface TracedRig {
  readonly rig: Rig;
  /** Spans of all lives that have ended, in that order. */
  readonly taken: readonly Taken[];
  /** GitHub delivers it: it is stored, claimed and handled, as the intake does. */
  readonly deliver: (event: DomainEvent) => Promise<void>;
  /** What the log would name each time that an act of this kind began. */
  readonly named: readonly LogContext[];
}

/** The engine on its rig with everything traced; each life has traces of its own, as a process has. */
export async function aTracedRig(options: RigOptions): Promise<TracedRig> {
  const taker = takesSpans();
  const doing = new AsyncLocalStorage<LogContext>();
  const named: LogContext[] = [];
  const within: WithLogContext = (more, work) => {
    named.push(more);
    return doing.run({ ...doing.getStore(), ...more }, work);
  };
  const fields = (): LogContext => ({ ...doing.getStore() });
  let traces: Traces | undefined;
  const rig = await aRig({
    ...options,
    wrapped: (given) => {
      const service = { name: "rig", version: "1.0.0" };
      const taking = tracesTo(taker, { service, within, fields, clock: given.clock });
      traces = taking;
      return {
        ...given,
        store: observedStore(given.store, traces.observe === undefined ? [] : [traces.observe], given.log),
        runtimes: eachRuntime(given, (runtime) => taking.runtime(runtime)),
        within: traces.within,
      };
    },
  });
  return {
    rig,
    taken: taker.taken,
    named,
    async deliver(event) {
      const { deliveries } = rig.context.store;
      const now = rig.clock.now();
      const about = { event: "issues", action: "labeled", installationId: 5, repositoryId: REPOSITORY.id };
      const delivery = {
        ...about,
        guid: event.delivery,
        lane: "issues",
        payload: "{}",
        receivedAt: now,
      };
      await deliveries.insert([delivery]);
      for (const row of await deliveries.claim({ ...CLAIM, now, limit: 1 }))
        await traces?.handling(row, async () => {
          await rig.engine.handle(event, CLAIM.token);
          return "handled";
        });
    },
  };
}

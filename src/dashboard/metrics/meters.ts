import type { Runner } from "../../core/ports/runner.ts";
import type { Store } from "../../core/ports/store.ts";
import type { Route } from "../../server/http-server.ts";
import { createInstruments } from "./instruments.ts";
import { meteredRunner } from "./metered-runner.ts";
import { meteredStore } from "./metered-store.ts";
import { createMetricsRoute, type MetricsOptions } from "./metrics-route.ts";
import { timeWebhook } from "./webhook-time.ts";

export interface Meters {
  /** The same, counted. */
  store<S extends Store>(store: S): S;
  runner(runner: Runner): Runner;
  /** Serves `/metrics`, and measures what is posted to `webhookPath`. */
  route(options: Omit<MetricsOptions, "instruments"> & { readonly webhookPath: string }): Route;
}

/** The metrics of one process. */
export function createMeters(): Meters {
  const instruments = createInstruments();
  return {
    store: (store) => meteredStore(store, instruments),
    runner: (runner) => meteredRunner(runner, instruments),
    route: (options) => {
      const serve = createMetricsRoute({ ...options, instruments });
      return (asked) => {
        if (asked.target.path === options.webhookPath) timeWebhook(instruments, asked);
        return serve(asked);
      };
    },
  };
}

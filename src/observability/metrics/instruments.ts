import { Counter, Histogram, Registry } from "prom-client";
import { createGauges } from "./gauges.ts";

/** Buckets from a millisecond to a second, for senders of webhooks. */
const SHORT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
/** Buckets from a second to a week, for what agents do and wait for. */
const LONG_SECONDS = [1, 10, 60, 300, 900, 3600, 4 * 3600, 24 * 3600, 7 * 24 * 3600];

export type Instruments = ReturnType<typeof createInstruments>;

/**
 * Every metric of ours, in a registry of its own. Labels have few values: kinds, states, roles, models, rules; never an
 * issue, an agent or a person. Counters begin again with the process; gauges (`gauges.ts`) are read at each scrape.
 */
export function createInstruments() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name: `flotilla_${name}_total`, help, labelNames: [...labelNames], registers });
  const histogram = <L extends string = never>(
    name: string,
    help: string,
    { buckets, labelNames = [] }: { buckets: readonly number[]; labelNames?: readonly L[] },
  ) =>
    new Histogram<L>({
      name: `flotilla_${name}_seconds`,
      help,
      labelNames: [...labelNames],
      buckets: [...buckets],
      registers,
    });
  return {
    registry,
    deliveries: counter("deliveries", "Webhook deliveries handled, by how they ended", ["event", "outcome"]),
    deliveryRetries: counter("delivery_retries", "Attempts to handle a delivery that failed or had to wait", [
      "event",
    ]),
    webhookSeconds: histogram("webhook", "Time from a webhook's arrival until it is on disk and answered", {
      buckets: SHORT_SECONDS,
    }),
    effects: counter("effects", "Effects that ended, by how they ended", ["kind", "outcome"]),
    effectAttempts: counter("effect_attempts", "Attempts to carry out an effect", ["kind"]),
    stateSeconds: histogram("agent_state", "How long agents were in a state when they left it", {
      buckets: LONG_SECONDS,
      labelNames: ["state"],
    }),
    wakeSeconds: histogram("wake", "Time from when a wake is due until its agent has it", {
      buckets: [0.1, 0.5, ...LONG_SECONDS],
    }),
    turns: counter("turns", "Turns that agents began", ["role"]),
    toolCalls: counter("tool_calls", "Tool calls that ended", ["status"]),
    tokens: counter("tokens", "Tokens of model calls; cached ones are among the input", [
      "model",
      "role",
      "type",
    ]),
    modelChanges: counter("model_changes", "Times that another model began to answer in place of one", [
      "from",
      "to",
    ]),
    cost: counter("cost_usd", "US dollars that model calls cost at the configured prices", ["model", "role"]),
    breakers: counter("breakers", "Limits that stopped an agent", ["rule"]),
    decisions: counter("decisions", "Decisions on record, of what was done and what was not", ["rule"]),
    sandboxStarts: counter("sandbox_starts", "Processes started in the sandbox", ["use", "outcome"]),
    readGauges: createGauges(registry),
  };
}

import { backoff } from "../kernel/backoff.ts";
import type { ModelProvider } from "../ports/agent-runtime.ts";

/**
 * An account at a model provider that is limited, out of quota, or down. All its agents wait together. After `until`
 * one agent calls the provider; when it gets an answer the others follow in order.
 */
export interface ProviderPark {
  /** Base address and name of the key. */
  readonly account: string;
  /** Milliseconds since the epoch: when this outage began, and before which no agent calls the provider. */
  readonly since: number;
  readonly until: number;
  /** Failed calls in a row; agents cut off by the same outage count once. */
  readonly failures: number;
  /** When an agent got an answer again; null until then. */
  readonly liftedAt: number | null;
  readonly reason: string;
}

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/**
 * Milliseconds between two agents that continue, so that they do not all call at once. Delays repeat after
 * `STAGGER_PLACES` agents.
 */
const STAGGER_MS = 2_000;
const STAGGER_PLACES = 30;

/** The account that serves the agents' model calls. The key itself is not part of it. */
export interface ModelAccount {
  /** The name for people. */
  readonly name: string;
  /** The environment variable that holds the key. */
  readonly keyVariable: string;
}

/** A model that an agent asks, and the name of the account that pays. */
export interface AskedModel {
  readonly account: string;
  readonly model: string;
}

/**
 * Returns the account of the model that answered. `reported` is the provider's own name of it, which may be longer than ours; one
 * that none of ours begins is taken for the first.
 */
export function accountAnswering(asked: readonly [AskedModel, ...AskedModel[]], reported: string): string {
  const answering = asked.filter(({ model }) => reported.startsWith(model));
  return answering.reduce((one, other) => (other.model.length > one.model.length ? other : one), {
    ...asked[0],
    model: "",
  }).account;
}

/** Returns the account at the configured provider; without one, `own`: the runtime's own account. */
export function modelAccount(
  provider: (Pick<ModelProvider, "baseUrl"> & { readonly apiKeyEnv: string }) | undefined,
  own: ModelAccount | null,
): ModelAccount {
  if (provider !== undefined)
    return { name: `${provider.baseUrl} (${provider.apiKeyEnv})`, keyVariable: provider.apiKeyEnv };
  if (own === null) throw new Error("there is no model provider, and the runtime has no account of its own");
  return own;
}

/** Returns how much later than the first an agent continues, in milliseconds; constant for each agent. */
export function staggerDelay(agentId: number): number {
  return (agentId % STAGGER_PLACES) * STAGGER_MS;
}

/** Returns whether every agent of the account may have continued by now. */
export function isOver(park: ProviderPark, now: number): boolean {
  return park.liftedAt !== null && now >= park.liftedAt + STAGGER_PLACES * STAGGER_MS;
}

/**
 * Returns the park after a failure at `at`. An agent whose run began (`activeSince`) before the end of the pause was cut
 * off by the same outage; otherwise its call is one more failure. Unless the provider names a time, the pause doubles.
 */
export function parkAccount(
  previous: ProviderPark | null,
  failure: {
    readonly account: string;
    readonly at: number;
    readonly retryAfterMs: number | undefined;
    readonly activeSince: number;
    readonly reason: string;
  },
): ProviderPark {
  const { account, at, retryAfterMs, reason } = failure;
  const before = previous !== null && !isOver(previous, at) ? previous : null;
  const same = before?.liftedAt === null && failure.activeSince < before.until;
  const failures = same ? before.failures : (before?.failures ?? 0) + 1;
  const pause = retryAfterMs ?? (same ? 0 : backoff(failures - 1, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
  const until = Math.max(same ? before.until : 0, at + pause);
  return { account, since: before?.since ?? at, until, failures, liftedAt: null, reason };
}

/** Returns whether the agent may begin a model call: there is no pause, or its run began after the pause. */
export function mayCallModel(park: ProviderPark | null, activeSince: number): boolean {
  return park === null || park.liftedAt !== null || activeSince >= park.until;
}

/** Returns whether an agent may start or wake. `probing` = another agent calls the provider at this moment. */
export function mayBegin(
  park: ProviderPark | null,
  asked: { readonly agentId: number; readonly now: number; readonly probing: boolean },
): true | string {
  if (park === null || isOver(park, asked.now)) return true;
  if (park.liftedAt !== null)
    return (
      asked.now >= park.liftedAt + staggerDelay(asked.agentId) ||
      "the model answers again, and agents continue one after another"
    );
  if (asked.now < park.until)
    return `the model provider is not asked before ${new Date(park.until).toISOString()}: ${park.reason}`;
  return !asked.probing || "one agent asks first whether the model provider answers again";
}

import { DEADLOCK } from "../tasks/escalation.ts";
import { type AgentRecord, COUNTED_WAKES, type SleepReason, type WakeReason } from "./agent-record.ts";

/** A message wakes from these; from any other sleep it waits for what wakes the agent anyway. */
const MESSAGE_WAKES: readonly SleepReason[] = ["blocked", "review", "question", "checks", "time"];

/** Sleeps that are a pause after a failure: news would end them early, and the failure would come again at once. */
const PAUSES: readonly SleepReason[] = ["retry", "provider_limit"];
const ENDS_PAUSE: readonly WakeReason[] = ["retry", "limit_reset", "resumed"];

/** Wakes by which a person lets an ESCALATED agent continue. */
const PERSONS: readonly WakeReason[] = ["answer", "approval", "message", "resumed", "review"];

/** What an agent waited for until its deadline may happen after all. */
const LATE: readonly WakeReason[] = ["blocker", "checks"];

/**
 * Whether a wake lets an ESCALATED agent continue. After too many rejections one more review does not: it gives no more
 * rounds, and it may be the very review that was the last one, found a second time.
 */
export function resumes({ category }: Pick<AgentRecord, "category">, wake: WakeReason): boolean {
  if (category === DEADLOCK && wake === "review") return false;
  return PERSONS.includes(wake) || (category === "expired" && LATE.includes(wake));
}

/** Returns true for a sleeper whose run is in `error`: it tries again by itself, and at once when a person says so. */
export function isInError({ state, sleepReason }: Pick<AgentRecord, "state" | "sleepReason">): boolean {
  return state === "SLEEPING" && sleepReason !== null && PAUSES.includes(sleepReason);
}

/** Why a wake does not end the agent's sleep, in words; null when it does. */
export function notItsWake(
  { sleepReason }: Pick<AgentRecord, "sleepReason">,
  wake: WakeReason,
): string | null {
  if (sleepReason === null) return null;
  if (wake === "message" && !MESSAGE_WAKES.includes(sleepReason))
    return `it waits for its own wake (${sleepReason})`;
  if (PAUSES.includes(sleepReason) && !ENDS_PAUSE.includes(wake))
    return `it pauses after a failure (${sleepReason})`;
  // Anything else would let it run into the same limit at once.
  if (sleepReason === "approval" && wake !== "approval") return "it waits for a person's approval";
  return null;
}

/**
 * The one of several pending wakes that wakes the agent; the others are told with it. One that ends its sleep, whatever
 * else came before it; of those one that costs no iteration, and a message last. Undefined without wakes.
 */
export function leadingWake<Wake extends { readonly reason: WakeReason }>(
  agent: Pick<AgentRecord, "sleepReason">,
  wakes: readonly Wake[],
): Wake | undefined {
  const own = wakes.filter(({ reason }) => notItsWake(agent, reason) === null);
  const among = own.length === 0 ? wakes : own;
  const news = among.filter(({ reason }) => reason !== "message");
  return news.find(({ reason }) => !COUNTED_WAKES.includes(reason)) ?? news[0] ?? among[0];
}

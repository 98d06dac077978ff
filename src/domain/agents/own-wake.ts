import { DEADLOCK } from "../tasks/escalation.ts";
import { type AgentRecord, COUNTED_WAKES, type SleepReason, type WakeReason } from "./agent-record.ts";

/** Sleeps that a message ends; in any other sleep the message waits for the agent's own wake. */
const MESSAGE_WAKES: readonly SleepReason[] = ["blocked", "review", "question", "checks", "time"];

/** Pauses after a failure: waking the agent early would cause the same failure again at once. */
const PAUSES: readonly SleepReason[] = ["retry", "provider_limit"];
const ENDS_PAUSE: readonly WakeReason[] = ["retry", "limit_reset", "resumed"];

/** Wakes by which a person lets an ESCALATED agent continue. */
const PERSONS: readonly WakeReason[] = ["answer", "approval", "message", "resumed", "review"];

/** Wakes for which an agent waited until its deadline, and which may still come after it. */
const LATE: readonly WakeReason[] = ["blocker", "checks"];

/**
 * Returns whether a wake lets an ESCALATED agent continue. After too many rejections a review does not: it adds no
 * rounds, and it may be the last one, found a second time.
 */
export function resumes({ category }: Pick<AgentRecord, "category">, wake: WakeReason): boolean {
  if (category === DEADLOCK && wake === "review") return false;
  return PERSONS.includes(wake) || (category === "expired" && LATE.includes(wake));
}

/** Returns true for a sleeper whose run is in `error`: it retries by itself, or at once when a person commands it. */
export function isInError({ state, sleepReason }: Pick<AgentRecord, "state" | "sleepReason">): boolean {
  return state === "SLEEPING" && sleepReason !== null && PAUSES.includes(sleepReason);
}

/** Returns why a wake does not end the agent's sleep, in words; null when it does. */
export function notItsWake(
  { sleepReason }: Pick<AgentRecord, "sleepReason">,
  wake: WakeReason,
): string | null {
  if (sleepReason === null) return null;
  if (wake === "message" && !MESSAGE_WAKES.includes(sleepReason))
    return `it waits for its own wake (${sleepReason})`;
  if (PAUSES.includes(sleepReason) && !ENDS_PAUSE.includes(wake))
    return `it pauses after a failure (${sleepReason})`;
  // Any other wake would let it reach the same limit at once.
  if (sleepReason === "approval" && wake !== "approval") return "it waits for a person's approval";
  return null;
}

/**
 * Returns which of several pending wakes wakes the agent; it reads the others with it. First one that ends its sleep,
 * of those one that costs no iteration, a message last. Undefined without wakes.
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

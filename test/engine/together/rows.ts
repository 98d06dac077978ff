import type { Rig } from "../rig.ts";

/** The moments of the design's table 'How the moves fit together', each by the words of its row. */
export const MOMENTS = [
  "start",
  "report_blocked",
  "ask_human",
  "request_review",
  "turn limit, risky call, diff, plan",
  "required checks still running",
  "runtime died / model refuses",
  "host stopped or was killed",
  "pause, foreign commit, checkpoint, incident",
  "wake",
  "handoff",
  "evidence holds, and a review is not required or is given",
  "evidence holds, policy wants a review not yet given",
  "escalate",
  "answer after ESCALATED",
  "broke for good",
  "cancelled",
  "merged",
  "verdict submitted",
  "approved",
  "`/complete` by a person",
  "agent lease lost",
  "a deadline or the wake limit passed",
] as const;
export type Moment = (typeof MOMENTS)[number];

/**
 * The four columns of a row: the events that each machine took at that moment, in order, and after the arrow where it
 * stands then. Counted turns are left out.
 */
export interface Columns {
  readonly session: string;
  readonly run: string;
  readonly agent: string;
  readonly task: string;
}

/** One way in which the moment comes about, walked through the running engine. */
export interface Walk extends Columns {
  readonly how: string;
  /** Until just before the moment. */
  readonly before: () => Promise<Rig>;
  readonly moment: (rig: Rig) => Promise<void>;
  /** Of which agent; the first coder of issue 1 when left out. */
  readonly of?: string;
}

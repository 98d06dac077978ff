import { NOTHING_GIVEN, type Shares } from "../../domain/agents/fair-share.ts";

/** What is known of the room on this machine, and of who waits for it. */
export interface Room {
  /** At the last reading of the disk; null before that. */
  freeDiskBytes: number | null;
  /** Whether `roomFor` refused last. */
  refused: boolean;
  /** The installations to which GitHub's limits left no room for another agent when that was looked at last. */
  readonly limited: Set<number>;
  /** Until when effects wait for GitHub's limits, as was told last; milliseconds since the epoch. */
  toldUntil: number;
  /** Whether agents wait for a place, which then no new one takes out of its turn. */
  awaited: boolean;
  /** The agent whose turn it is. */
  turn: number | null;
  /** The turns that were given. */
  shares: Shares;
}

export function newRoom(): Room {
  return {
    freeDiskBytes: null,
    refused: false,
    limited: new Set(),
    toldUntil: 0,
    awaited: false,
    turn: null,
    shares: NOTHING_GIVEN,
  };
}

import { describe, expect, it } from "vitest";
import { AGENT_STATES } from "../../../src/domain/agents/agent-record.ts";
import { agentWalker } from "../agent-walker.ts";
import { printWay } from "../walker.ts";
import { BEYOND, DRAWN_AND_OURS, DRAWN_ONLY, MOVES, OURS_ONLY, STATES_004 } from "./moves.ts";

const pairs = STATES_004.flatMap((from) =>
  STATES_004.filter((to) => to !== from).map((to) => ({
    from,
    to,
    ours: [...MOVES, ...BEYOND].find((move) => move.from === from && move.to === to)?.ours ?? [],
  })),
);
const refused = pairs.filter(({ ours }) => ours.length === 0);

/** The events that lead straight from one state to another, from any sleep or hold. */
function eventsFor(from: string, to: string): readonly string[] {
  const way = agentWalker.reach(from);
  return agentWalker.events.filter((event) =>
    agentWalker.answers(way, event).some((answer) => "to" in answer && answer.to === to),
  );
}

/** Its states, and every pair of them, against our Agent. */
export function showMoves(): void {
  describe("the states", () => {
    it("are those of our Agent, by the same names, and one more", () => {
      expect([...STATES_004, ...OURS_ONLY].toSorted()).toEqual(AGENT_STATES.toSorted());
    });
  });

  describe("the moves", () => {
    it.each(MOVES)("has $from → $to, by $by", ({ from, to, ours }) => {
      for (const event of ours) {
        const way = agentWalker.pathThrough(agentWalker.reach(from), [to], { by: [event], bound: 1 });
        expect(way?.steps.at(-1)).toEqual({ from, event, to });
      }
    });

    it.each(pairs)("allows $from → $to by nothing else", ({ from, to, ours }) => {
      const more = eventsFor(from, to).filter((event) => !ours.includes(event));
      expect(more).toEqual([]);
    });

    it.each(BEYOND)("adds $from → $to: $why", ({ from, to, ours }) => {
      expect(MOVES.filter((move) => move.from === from && move.to === to)).toEqual([]);
      const way = agentWalker.pathThrough(agentWalker.reach(from), [to], { by: ours, bound: 1 });
      expect(way?.steps.at(-1)).toMatchObject({ from, to });
    });

    it.each(refused)("has no $from → $to", ({ from, to }) => {
      expect(agentWalker.pathThrough(agentWalker.reach(from), [to], { bound: 1 })).toBeNull();
    });

    it("sleeps and wakes again and again", () => {
      const way = agentWalker.reach("ACTIVE", "SLEEPING", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED");
      expect(printWay(way)).toContain("SLEEPING --WAKE--> ACTIVE");
    });

    it.each(["COMPLETED", "FAILED"])("never leaves %s", (state) => {
      for (const to of AGENT_STATES)
        expect(agentWalker.pathThrough(agentWalker.reach(state), [to], { bound: 1 })).toBeNull();
    });
  });

  describe("the picture", () => {
    it("draws the states in a column: its arrows are no moves but where the text has them", () => {
      const named = DRAWN_ONLY.filter(([from, to]) =>
        MOVES.some((move) => move.from === from && move.to === to),
      );
      expect(named).toEqual([]);
      const ours = DRAWN_ONLY.filter(([from, to]) => eventsFor(from, to).length > 0);
      expect(ours).toEqual(DRAWN_AND_OURS);
    });
  });
}

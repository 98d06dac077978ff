import { describe, expect, it } from "vitest";
import { SESSION_STATES, sessionRecord } from "../../../src/core/machines/session.ts";
import { aSession } from "../../factories/records.ts";
import { sessionWalker } from "../session-walker.ts";
import {
  BACKWARD,
  DIAGRAM,
  NEVER_REPEATED,
  ONLY_IN_TABLE,
  REVIVED_FROM,
  STATES_003,
  TABLE,
} from "./states.ts";

const pairs = STATES_003.flatMap((from) => STATES_003.map((to) => ({ from, to })));
const isAllowed = ({ from, to }: (typeof pairs)[number]) =>
  from === to ? !NEVER_REPEATED.includes(from) : TABLE[from].includes(to);

/** The events that lead straight from one state to another. */
function eventsFor(from: string, to: string): readonly string[] {
  const way = sessionWalker.reach(from);
  return sessionWalker.events.filter((event) =>
    sessionWalker.answers(way, event).some((answer) => "to" in answer && answer.to === to),
  );
}

/** Its states and every pair of them, against our Session. */
export function showStates(): void {
  describe("the states", () => {
    it("are those of our Session, by the same names", () => {
      expect(SESSION_STATES.toSorted()).toEqual(STATES_003.toSorted());
    });

    it("are spelled in one place: what is stored is parsed by the table's own names", () => {
      expect(sessionRecord.shape.state.options).toEqual(SESSION_STATES);
      expect(sessionRecord.safeParse(aSession()).success).toBe(true);
      expect(sessionRecord.safeParse({ ...aSession(), state: "Running" }).success).toBe(false);
    });
  });

  describe("the transition table", () => {
    it.each(pairs.filter(isAllowed))("lets $from become $to, and so do we", ({ from, to }) => {
      const way = sessionWalker.pathThrough(sessionWalker.reach(from), [to], { bound: 1 });
      expect(way?.steps.at(-1)).toMatchObject({ from, to });
    });

    it.each(pairs.filter((pair) => !isAllowed(pair)))(
      "keeps $from from becoming $to, and so do we",
      ({ from, to }) => {
        expect(eventsFor(from, to)).toEqual([]);
      },
    );

    it.each(BACKWARD)("names %s → %s as refused", (from, to) => {
      expect(TABLE[from]).not.toContain(to);
      expect(sessionWalker.answers(sessionWalker.reach(from), "START")).toMatchObject([
        { refusal: { code: "no_such_transition" } },
      ]);
    });

    it("revives only what has ended", () => {
      const others = STATES_003.filter((state) => state !== "starting");
      expect(others.filter((state) => eventsFor(state, "starting").length > 0)).toEqual([
        "unspecified",
        ...REVIVED_FROM,
      ]);
    });
  });

  describe("a state told again", () => {
    const repeated = STATES_003.filter((state) => !NEVER_REPEATED.includes(state));
    it.each(repeated)("%s: is taken, and changes nothing", (state) => {
      const way = sessionWalker.reach(state);
      const again = sessionWalker.pathThrough(way, [state], { bound: 1 });
      expect(again?.snapshot).toEqual(way.snapshot);
    });
  });

  describe("the diagram", () => {
    it("draws what the table allows, but for what is listed", () => {
      const missing = pairs.filter(({ from, to }) => TABLE[from].includes(to) && !DIAGRAM[from].includes(to));
      expect(missing.map(({ from, to }) => [from, to])).toEqual(ONLY_IN_TABLE);
      const surplus = pairs.filter(({ from, to }) => DIAGRAM[from].includes(to) && !TABLE[from].includes(to));
      expect(surplus).toEqual([]);
    });
  });

  describe("the numeric codes", () => {
    it("number the states in our order, from 0", () => {
      expect(SESSION_STATES).toEqual(STATES_003);
    });

    it.each([...STATES_003.keys()])("are not used: %i is no state that can be stored", (code) => {
      expect(sessionRecord.safeParse({ ...aSession(), state: code }).success).toBe(false);
    });
  });
}

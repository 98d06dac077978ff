import { describe, expect, it } from "vitest";
import { runWalker } from "../run-walker.ts";
import { refused } from "../walker.ts";
import { documented } from "./documented.ts";
import { EVENTS_002 } from "./events.ts";
import { STATES_002, type State002 } from "./states.ts";
import {
  BEYOND,
  KEPT,
  MATRIX,
  NARROWER,
  ONLY_IN_MATRIX,
  PAUSABLE,
  SUMMARY,
  WITHOUT_EVENT,
} from "./transitions.ts";

type RunWay = ReturnType<typeof runWalker.reach>;

interface Situation {
  readonly from: State002;
  /** The state that it was paused from. */
  readonly remembered: State002 | null;
  readonly name: string;
}

/** Every state of the document, `paused` once for each state that it can be paused from. */
const SITUATIONS: readonly Situation[] = STATES_002.flatMap((from): readonly Situation[] =>
  from === "paused"
    ? PAUSABLE.map((remembered) => ({ from, remembered, name: `paused (${remembered})` }))
    : [{ from, remembered: null, name: from }],
);

function comeTo({ from, remembered }: Situation): RunWay {
  return remembered === null ? runWalker.reach(from) : runWalker.reach(remembered, from);
}

/** The events of ours that lead straight to `to`. */
function eventsTo(way: RunWay, to: string, events: readonly string[] = runWalker.events): readonly string[] {
  return events.filter((event) =>
    runWalker.answers(way, event).some((answer) => "to" in answer && answer.to === to),
  );
}

const isAllowed = ({ from, remembered }: Situation, to: State002) =>
  from === "paused" ? to === remembered || to === "cancelled" : MATRIX[from].includes(to);

const isKept = ({ from }: Situation, to: State002) => to === "idle" && KEPT.includes(from);

const moves = SITUATIONS.flatMap((situation) =>
  STATES_002.map((to) => ({ situation, to, name: `${situation.name} → ${to}` })),
);

/** Every cell of the matrix, and every event in every state, against our Run. */
export function showTransitions(): void {
  describe("the matrix of transitions", () => {
    it.each(KEPT)("allows %s → idle, which nothing of ours does: how it ended is kept", (state) => {
      expect(MATRIX[state]).toEqual(["idle"]);
      expect(eventsTo(runWalker.reach(state), "idle")).toEqual([]);
    });

    it.each(moves.filter(({ situation, to }) => isAllowed(situation, to) && !isKept(situation, to)))(
      "allows $name, and so do we",
      ({ situation, to }) => {
        const way = runWalker.pathThrough(comeTo(situation), [to], { bound: 1 });
        expect(way?.steps.at(-1)).toMatchObject({ from: situation.from, to });
      },
    );

    const forbidden = moves.filter(({ situation, to }) => !isAllowed(situation, to) && situation.from !== to);
    it.each(forbidden)("forbids $name, and only what the design adds leads there", ({ situation, to }) => {
      const added = BEYOND.filter((move) => move.from.includes(situation.from) && move.to === to);
      expect(eventsTo(comeTo(situation), to)).toEqual(added.map(({ ours }) => ours));
    });

    it.each(SITUATIONS)("lets no event of the document's stay in $name", (situation) => {
      expect(eventsTo(comeTo(situation), situation.from, EVENTS_002)).toEqual([]);
    });

    it.each(WITHOUT_EVENT)(
      "allows $from → $to without an event of its own: $ours makes it",
      ({ from, to, ours }) => {
        expect(MATRIX[from]).toContain(to);
        const meant = EVENTS_002.filter((event) => event !== "RESUME");
        expect(meant.filter((event) => documented(from, event, null) === to)).toEqual([]);
        expect(eventsTo(runWalker.reach(from), to)).toEqual([ours]);
      },
    );
  });

  describe("the table of states", () => {
    it.each(STATES_002)("names for %s what the matrix allows, and leaves out what is listed", (state) => {
      expect([...SUMMARY[state], ...ONLY_IN_MATRIX[state]].toSorted()).toEqual(MATRIX[state].toSorted());
    });
  });

  const attempts = SITUATIONS.flatMap((situation) => EVENTS_002.map((event) => ({ situation, event }))).map(
    (attempt) => ({
      ...attempt,
      to: documented(attempt.situation.from, attempt.event, attempt.situation.remembered),
    }),
  );
  describe("the events", () => {
    const narrower = ({ situation, event }: (typeof attempts)[number]) =>
      NARROWER[event]?.includes(situation.from) === true;
    it.each(attempts.filter(narrower))("would take $event in $situation.name, where ours has none", (one) => {
      expect(one.to).toBe("failed");
      expect(refused(runWalker, comeTo(one.situation), one.event)).toMatchObject([
        { code: "no_such_transition" },
      ]);
    });

    it.each(attempts.filter((one) => one.to !== null && one.to !== "idle" && !narrower(one)))(
      "take $event in $situation.name to $to",
      ({ situation, event, to }) => {
        const [first] = runWalker.answers(comeTo(situation), event);
        expect(first).toEqual({ to });
      },
    );

    it.each(attempts.filter(({ to }) => to === null))(
      "refuse $event in $situation.name",
      ({ situation, event }) => {
        const before = comeTo(situation);
        const copy = structuredClone(before.snapshot);
        for (const answer of runWalker.answers(before, event))
          expect(answer).toMatchObject({ refusal: { ok: false, code: "no_such_transition" } });
        expect(before.snapshot).toEqual(copy);
      },
    );

    it("fail a claim for good only when no bounces are left, which the matrix allows", () => {
      const answers = runWalker.answers(runWalker.reach("evaluating"), "EVALUATION_FAIL");
      expect(answers).toEqual([{ to: "adapting" }, { to: "failed" }]);
      expect(MATRIX.evaluating).toContain("failed");
    });
  });

  describe("a RESUME without a remembered state", () => {
    it("takes the document's ended machines to idle by accident, and ours nowhere", () => {
      const accidents = attempts.filter(({ event, to }) => event === "RESUME" && to === "idle");
      expect(accidents.map(({ situation }) => situation.from)).toEqual(["succeeded", "failed", "cancelled"]);
      for (const { situation } of accidents)
        expect(runWalker.answers(comeTo(situation), "RESUME")).toMatchObject([
          { refusal: { code: "no_such_transition" } },
        ]);
    });
  });
}

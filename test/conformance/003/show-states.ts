import { describe, expect, it } from "vitest";
import { SESSION_STATES, type SessionEvent, sessionRecord } from "../../../src/domain/agents/session.ts";
import { advanceAgent, sessionMove } from "../../../src/engine/kernel/advance-agent.ts";
import { agentOf, decisionsOn, sessionsOf } from "../../engine/look.ts";
import type { Rig } from "../../engine/rig.ts";
import { aSession } from "../../factories/records.ts";
import { byHand } from "../../reach/record.ts";
import { sessionWalker } from "../session-walker.ts";
import { AT, KEY, type Stored003 } from "./places.ts";
import {
  ADDED,
  BACKWARD,
  DIAGRAM,
  NOTHING_ASKED,
  ONLY_IN_TABLE,
  REVIVED_FROM,
  STATES_003,
  type State003,
  TABLE,
  TOLD_AGAIN,
  WITHOUT_STOP,
} from "./states.ts";

const pairs = STATES_003.flatMap((from) => STATES_003.map((to) => ({ from, to })));
const among = ({ from, to }: (typeof pairs)[number], list: readonly (readonly [State003, State003])[]) =>
  list.some((one) => one[0] === from && one[1] === to);
/** By the table, and by what we rule where it disagrees. */
const isAllowed = (pair: (typeof pairs)[number]) =>
  pair.from === pair.to
    ? TOLD_AGAIN.includes(pair.from)
    : among(pair, ADDED) ||
      (TABLE[pair.from].includes(pair.to) && !among(pair, [...WITHOUT_STOP, ...NOTHING_ASKED]));

/** The events that lead straight from one state to another. */
function eventsFor(from: string, to: string): readonly string[] {
  const way = sessionWalker.reach(from);
  return sessionWalker.events.filter((event) =>
    sessionWalker.answers(way, event).some((answer) => "to" in answer && answer.to === to),
  );
}

/** The report that leads to each state. */
const REPORTS: readonly (readonly [Stored003, SessionEvent["type"]])[] = [
  ["starting", "START"],
  ["running", "RUN"],
  ["running", "WAKE"],
  ["idle", "REST"],
  ["waiting_approval", "AWAIT_APPROVAL"],
  ["paused", "PAUSE"],
  ["stopping", "STOP"],
  ["stopped", "STOPPED"],
  ["failed", "FAIL"],
];

/** All that a report could leave. */
async function written(rig: Rig): Promise<unknown> {
  const { id } = await agentOf(rig);
  return [await sessionsOf(rig), await rig.store.transitions.ofAgent(id), await decisionsOn(rig)];
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
    it.each(pairs.filter(isAllowed))(
      "$from may become $to: our machine has a move for it",
      ({ from, to }) => {
        const way = sessionWalker.pathThrough(sessionWalker.reach(from), [to], { bound: 1 });
        expect(way?.steps.at(-1)).toMatchObject({ from, to });
      },
    );

    it.each(pairs.filter((pair) => !isAllowed(pair)))(
      "$from may not become $to: our machine has none",
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
    it.each(STATES_003.filter((state) => !TOLD_AGAIN.includes(state)))(
      "%s: no event leads to itself",
      (state) => {
        expect(eventsFor(state, state)).toEqual([]);
      },
    );

    it.each(REPORTS)("%s: %s again is taken by the engine, and nothing is written", async (state, type) => {
      const rig = await AT[state]();
      const before = await written(rig);
      const session = (await sessionsOf(rig)).at(-1);
      if (session === undefined) throw new Error("it has no conversation");
      expect(session.state).toBe(state);
      const { reason } = session;
      const report = {
        type,
        at: rig.clock.now(),
        actor: "flotilla",
        ...(reason === null ? {} : { reason }),
      };
      const agent = await agentOf(rig);
      const told = await byHand(() =>
        advanceAgent(rig.context, agent, { moves: [sessionMove(session, report)] }),
      );
      expect(told).toEqual({ moved: [], refused: [], fenced: false });
      expect(await written(rig)).toEqual(before);
    });

    it("paused: a person who pauses it again changes nothing", async () => {
      const rig = await AT.paused();
      const before = await sessionsOf(rig);
      await rig.engine.operations.pause({ agent: KEY, by: "operator:ann", id: "again", reason: null });
      await rig.idle();
      expect(before.at(-1)?.state).toBe("paused");
      expect(await sessionsOf(rig)).toEqual(before);
    });

    it("idle: only why it rests is new", () => {
      const way = sessionWalker.reach("idle");
      const again = sessionWalker.pathThrough(way, ["idle"], { bound: 1 });
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

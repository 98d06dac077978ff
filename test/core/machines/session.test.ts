import { describe, expect, it } from "vitest";
import { step } from "../../../src/core/machine.ts";
import {
  blankSession,
  SESSION_STATES,
  type SessionEvent,
  type SessionRecord,
  sessionMachine,
  sessionRecord,
} from "../../../src/core/machines/session.ts";
import { AT } from "../../factories/moment.ts";
import { aSession } from "../../factories/records.ts";
import { type Arrow, arrowsOf } from "./arrow.ts";
import { machineContract, type Witness } from "./machine-contract.ts";
import { moved } from "./moved.ts";
import { SESSION_TABLE } from "./session-table.ts";

const event = (type: SessionEvent["type"], reason?: string): SessionEvent => ({
  type,
  at: AT,
  actor: "flotilla",
  ...(reason === undefined ? {} : { reason }),
});

const witness = ({ event: name }: Arrow): Witness<SessionRecord, SessionEvent> => {
  const type = sessionMachine.events.find((known) => known === name);
  if (type === undefined) throw new Error(`the session has no event ${name}`);
  return { event: event(type) };
};

machineContract({
  machine: sessionMachine,
  blank: blankSession,
  start: "unspecified",
  witness,
  terminalTakes: [],
});

describe("the session's table", () => {
  it.each(SESSION_STATES)("lets %s become exactly what the design says", (state) => {
    const targets = arrowsOf(sessionMachine).filter(({ from, to }) => from === state && to !== state);
    expect([...new Set(targets.map(({ to }) => to))].toSorted()).toEqual(SESSION_TABLE[state]?.toSorted());
  });

  it("begins with a record that can be stored and says nothing yet", () => {
    expect(sessionRecord.parse(blankSession)).toEqual(blankSession);
    expect(Object.values(blankSession).filter((value) => typeof value === "string")).toEqual([
      "unspecified",
      "",
    ]);
  });
});

describe("a session", () => {
  it("counts its lives, one a start", () => {
    expect(step(sessionMachine, aSession({ state: "stopped", lives: 1 }), event("START"))).toMatchObject({
      snapshot: { state: "starting", lives: 2 },
    });
    expect(step(sessionMachine, aSession({ state: "starting" }), event("RUN"))).toMatchObject({
      snapshot: { state: "running", lives: 1 },
    });
  });

  it("takes a state reported twice as no news: the start of a start is no new life", () => {
    for (const state of ["starting", "running", "idle", "waiting_approval", "paused", "stopping"] as const) {
      const [type] = sessionMachine.rules.filter((rule) => rule.to === state).map(({ on }) => on);
      if (type === undefined) throw new Error(`nothing leads to ${state}`);
      const session = aSession({ state, lives: 2 });
      expect(step(sessionMachine, session, event(type))).toMatchObject({
        ok: true,
        snapshot: session,
      });
    }
  });

  it("keeps how it ended last until it ends in another way", () => {
    const stopping = step(sessionMachine, aSession({ reason: null }), event("STOP", "blocked"));
    expect(stopping).toMatchObject({ snapshot: { state: "stopping", reason: "blocked" } });
    expect(step(sessionMachine, moved(stopping).snapshot, event("STOPPED"))).toMatchObject({
      snapshot: { state: "stopped", reason: "blocked" },
    });
    expect(step(sessionMachine, moved(stopping).snapshot, event("FAIL", "crashed"))).toMatchObject({
      snapshot: { state: "failed", reason: "crashed" },
    });
  });
});

import { describe, expect, it } from "vitest";
import {
  blankSession,
  changesSession,
  SESSION_STATES,
  type SessionEvent,
  type SessionRecord,
  type SessionState,
  sessionMachine,
  sessionRecord,
} from "../../../src/domain/agents/session.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { AT } from "../../factories/moment.ts";
import { aSession } from "../../factories/records.ts";
import { type Arrow, arrowsOf } from "../machines/arrow.ts";
import { machineContract, type Witness } from "../machines/machine-contract.ts";
import { moved } from "../machines/moved.ts";
import { SESSION_TABLE } from "../machines/session-table.ts";

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
  it.each(SESSION_STATES)("lets %s become exactly what stands beside it", (state) => {
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
  it("counts its lives, one a start and one a wake", () => {
    expect(step(sessionMachine, aSession({ state: "stopped", lives: 1 }), event("START"))).toMatchObject({
      snapshot: { state: "starting", lives: 2 },
    });
    expect(step(sessionMachine, aSession({ state: "starting" }), event("RUN"))).toMatchObject({
      snapshot: { state: "running", lives: 1 },
    });
    expect(step(sessionMachine, aSession({ state: "paused" }), event("WAKE"))).toMatchObject({
      snapshot: { state: "running", lives: 2 },
    });
    expect(step(sessionMachine, aSession({ state: "idle" }), event("RUN"))).toMatchObject({
      snapshot: { state: "running", lives: 1 },
    });
  });

  it("keeps why it rests, or how it ended last, until that is something else", () => {
    const resting = step(sessionMachine, aSession({ reason: null }), event("REST", "blocked"));
    expect(resting).toMatchObject({ snapshot: { state: "idle", reason: "blocked" } });
    const escalated = step(sessionMachine, moved(resting).snapshot, event("REST", "escalated"));
    expect(escalated).toMatchObject({ snapshot: { state: "idle", reason: "escalated" } });
    const stopping = step(sessionMachine, moved(escalated).snapshot, event("STOP", "cancelled"));
    expect(step(sessionMachine, moved(stopping).snapshot, event("STOPPED"))).toMatchObject({
      snapshot: { state: "stopped", reason: "cancelled" },
    });
    expect(step(sessionMachine, moved(stopping).snapshot, event("FAIL", "crashed"))).toMatchObject({
      snapshot: { state: "failed", reason: "crashed" },
    });
  });
});

const LIVE: readonly SessionState[] = ["unspecified", "starting", "running"];
const AT_REST: readonly SessionState[] = ["idle", "waiting_approval", "paused"];
const except = (state: SessionState) => SESSION_STATES.filter((other) => other !== state);

describe("what a conversation is told", () => {
  it.each([
    ["START", ["unspecified", "stopping", "stopped", "failed"]],
    ["RUN", except("running")],
    ["WAKE", except("running")],
    ["STOPPED", except("stopped")],
    ["STOP", [...LIVE, ...AT_REST]],
    ["FAIL", [...LIVE, ...AT_REST, "stopping"]],
    ["REST", [...LIVE, "waiting_approval", "paused"]],
    ["AWAIT_APPROVAL", [...LIVE, "idle", "paused"]],
    ["PAUSE", [...LIVE, "idle", "waiting_approval"]],
  ] as const)("%s is news in %j, and in no other state", (type, states) => {
    const news = SESSION_STATES.filter((state) =>
      changesSession(aSession({ state, reason: "x" }), event(type, "x")),
    );
    expect(new Set(news)).toEqual(new Set(states));
  });

  it("is news where it rests as before for another reason", () => {
    expect(changesSession(aSession({ state: "idle", reason: "blocked" }), event("REST", "escalated"))).toBe(
      true,
    );
    expect(changesSession(aSession({ state: "paused", reason: "x" }), event("PAUSE", "paused"))).toBe(false);
  });
});

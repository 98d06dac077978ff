import { blankSession, type SessionRecord, sessionMachine } from "../../src/domain/agents/session.ts";
import { AT } from "../factories/moment.ts";
import { type Walker, walkerOf } from "./walker.ts";

/** The Session with each of its events. */
export const sessionWalker: Walker<SessionRecord> = walkerOf({
  machine: sessionMachine,
  blank: { ...blankSession, id: 31, version: 1 },
  start: "blank",
  candidates: () => sessionMachine.events.map((type) => ({ type, at: AT, actor: "flotilla" })),
  key: ({ state }) => state,
});

import { expect, it } from "vitest";
import { AGENT_STATES, isLive } from "../../../src/domain/agents/agent-record.ts";
import { ttlEvent } from "../../../src/domain/breakers/ttl.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";

it("ends an agent when its time to live is over and not before, and one without it never", () => {
  const agent = anAgent({ ttlMs: HOUR, createdAt: AT });
  expect(ttlEvent(agent, AT + HOUR - 1)).toBeNull();
  expect(ttlEvent(agent, AT + HOUR)).toMatchObject({
    type: "CANCEL",
    session: "ttl_expired",
    why: "its time to live of 1 h is over",
  });
  const exact = (ttlMs: number) => ttlEvent({ ...agent, ttlMs }, AT + 99 * HOUR);
  expect(exact(100_000)).toMatchObject({ why: "its time to live of 100 s is over" });
  expect(exact(90 * 60_000)).toMatchObject({ why: "its time to live of 90 min is over" });
  expect(ttlEvent({ ...agent, ttlMs: null }, AT + 1000 * HOUR)).toBeNull();
});

it.each(AGENT_STATES)("ends one that is %s only while it lives", (state) => {
  const wish = ttlEvent(anAgent({ state, ttlMs: HOUR, createdAt: AT }), AT + HOUR);
  expect(wish !== null).toBe(isLive({ state }));
});

import { expect, it } from "vitest";
import { isByState, readFilter } from "../../../src/domain/agents/agent-filter.ts";
import { AGENT_STATES } from "../../../src/domain/agents/agent-record.ts";
import { RUN_STATES } from "../../../src/domain/agents/run.ts";
import { SESSION_STATES } from "../../../src/domain/agents/session.ts";
import { namedState, STATE_WORDS } from "../../../src/domain/agents/state-words.ts";

it("takes every word of the three machines, and no other", () => {
  for (const word of [...AGENT_STATES, ...RUN_STATES, ...SESSION_STATES]) {
    expect(STATE_WORDS).toContain(word);
    expect(namedState(word)).not.toBeNull();
  }
  expect(new Set(STATE_WORDS).size).toBe(STATE_WORDS.length);
  for (const word of ["", "Failed", "EXECUTING", "constructor"]) expect(namedState(word)).toBeNull();
});

it("means the agent alone in capitals, and any of the three in lower case", () => {
  expect(namedState("FAILED")).toEqual({ agent: "FAILED", run: null, session: null });
  expect(namedState("failed")).toEqual({ agent: "FAILED", run: "failed", session: "failed" });
  expect(namedState("idle")).toEqual({ agent: null, run: "idle", session: "idle" });
  expect(namedState("sleeping")).toEqual({ agent: "SLEEPING", run: null, session: null });
});

it("reads what is asked for", () => {
  expect(readFilter({})).toEqual({});
  expect(
    readFilter({
      state: "SLEEPING",
      tag: "x,y",
      label: "team=core",
      role: "triage",
      mode: "one_shot",
      by: "@alice",
    }),
  ).toEqual({
    state: { agent: "SLEEPING", run: null, session: null },
    tags: ["x", "y"],
    labels: ["team=core"],
    role: "triage",
    mode: "one_shot",
    by: "alice",
  });
});

it.each([
  ["state", "Lost", "takes one of CREATED, ACTIVE"],
  ["tag", "", "takes tags: a tag is"],
  ["tag", "x,", "takes tags: a tag is"],
  ["label", "team", "takes labels: a label is `key=value`"],
  ["mode", "twice", "takes continuous or one_shot"],
] as const)("refuses %s=%j", (key, value, fault) => {
  expect(readFilter({ [key]: value })).toEqual({ key, fault: expect.stringContaining(fault) });
});

it("is in the order of a state only where nothing rarer is asked for", () => {
  const state = { agent: "FAILED", run: null, session: null } as const;
  expect(isByState({ state, role: "x" })).toBe(true);
  for (const other of [{ tags: ["x"] }, { labels: ["a=b"] }, { by: "alice" }])
    expect(isByState({ state, ...other })).toBe(false);
  expect(isByState({})).toBe(false);
});

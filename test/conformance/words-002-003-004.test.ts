import { describe, expect, it } from "vitest";
import { agentMachine } from "../../src/domain/agents/agent.ts";
import { runMachine } from "../../src/domain/agents/run.ts";
import { sessionMachine } from "../../src/domain/agents/session.ts";
import { wordsSection } from "./words.ts";
import { WORDS_002, WORDS_003, WORDS_004 } from "./words-002-003-004.ts";

const EVENTS = new Set([...agentMachine.events, ...runMachine.events, ...sessionMachine.events] as string[]);

describe.each([
  ["002", WORDS_002],
  ["003", WORDS_003],
  ["004", WORDS_004],
])("the words of document %s", (document, words) => {
  it("are told once each, as one row of the table", () => {
    const theirs = words.map(([word]) => word);
    expect(new Set(theirs).size).toBe(theirs.length);
    const rows = wordsSection(`Document ${document}`, words).split("\n").slice(4, -1);
    expect(rows).toHaveLength(words.length);
    expect(rows.filter((row) => row.split("|").length !== 5)).toEqual([]);
  });

  it("name events that our machines have", () => {
    const named = words.flatMap(([, ours]) => ours.match(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g) ?? []);
    expect(named.filter((event) => !EVENTS.has(event))).toEqual([]);
  });
});

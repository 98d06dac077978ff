import { describe, expect, it } from "vitest";
import { print } from "../traces/print.ts";
import { replayWork, workTraces } from "../traces/replay-progress.ts";

const looping = workTraces("looping").map((trace) => ({ trace, found: replayWork(trace) }));

describe("on the labelled traces", () => {
  it.each(workTraces("honest"))("lets continue: $name", (trace) => {
    expect(replayWork(trace)).toBeNull();
  });

  it.each(looping)("finds: $trace.name", ({ trace, found }) => {
    expect(found?.stuck.kind).toBe(trace.kind);
  });

  it("has at least twenty of each class, and prints how many turns it takes to see a loop", () => {
    expect(looping.length).toBeGreaterThanOrEqual(20);
    expect(workTraces("honest").length).toBeGreaterThanOrEqual(20);
    for (const kind of ["same_call", "alternating", "same_failure", "no_change"]) {
      const turns = looping
        .filter(({ trace }) => trace.kind === kind)
        .map(({ trace, found }) => (found?.turn ?? Number.NaN) - trace.since)
        .toSorted((one, other) => one - other);
      print(`progress: ${kind} seen after ${turns.join(", ")} turns`);
      expect(turns.length).toBeGreaterThanOrEqual(5);
    }
    print(`progress: ${workTraces("honest").length} honest traces, no false stop`);
  });
});

const read = (path: string, ms = 200) => ({ tool: "view", args: { path }, ok: true, output: path, ms });
const turns = (count: number, call: (index: number) => ReturnType<typeof read>, tree: string | null = "t0") =>
  Array.from({ length: count }, (_, index) => ({ tree, calls: [call(index)] }));

const news = (count: number, tree: string) => turns(count, (index) => read(`${tree}${index}`), tree);

describe("at its bounds", () => {
  it("allows the same turn three times, and no fourth", () => {
    const known = turns(3, () => read("a"));
    expect(replayWork({ turns: known, reader: false })).toBeNull();
    expect(replayWork({ turns: turns(4, () => read("a")), reader: false })).toEqual({
      turn: 4,
      stuck: { kind: "same_call", what: 'view {"path":"a"} was repeated 4 times with the same result' },
    });
  });

  it("allows a call that waits as often as thirty times in a row", () => {
    expect(replayWork({ turns: turns(29, () => read("a", 5000)), reader: false })).toBeNull();
    expect(replayWork({ turns: turns(30, () => read("a", 5000)), reader: false })?.turn).toBe(30);
  });

  it("counts turns that bring nothing new, to the setting", () => {
    const known = ["a", "b", "c", "d", "e", "a", "c", "b", "e", "d"].map((path) => ({
      tree: "t0",
      calls: [read(path)],
    }));
    expect(replayWork({ turns: known, reader: true })).toEqual({
      turn: 10,
      stuck: { kind: "no_change", what: "5 turns in a row found nothing new" },
    });
    expect(replayWork({ turns: known, reader: true }, 6)).toBeNull();
  });

  it("allows a coder six times the setting of reading before its first change, and four times after it", () => {
    expect(replayWork({ turns: news(29, "t0"), reader: false })).toBeNull();
    expect(replayWork({ turns: news(30, "t0"), reader: false })?.stuck.what).toContain("changed no file");
    const begun = [...news(1, "t0"), ...news(1, "t1")];
    expect(replayWork({ turns: [...begun, ...news(20, "t1")], reader: false })?.turn).toBe(22);
    expect(replayWork({ turns: news(60, "t0"), reader: true })).toBeNull();
  });

  it("does not take the first state that it sees for a change", () => {
    const unseen = [{ tree: null, calls: [] }, ...turns(31, (index) => read(String(index)))];
    expect(replayWork({ turns: unseen, reader: false })?.turn).toBe(32);
  });

  it("says in short what a turn without calls, or with long arguments, repeated", () => {
    const quiet = Array.from({ length: 4 }, () => ({ tree: "t0", calls: [] }));
    expect(replayWork({ turns: quiet, reader: false })?.stuck.what).toContain("a turn without a call");
    const long = turns(4, () => read("x".repeat(500)));
    expect(replayWork({ turns: long, reader: false })?.stuck.what.length).toBeLessThan(200);
  });
});

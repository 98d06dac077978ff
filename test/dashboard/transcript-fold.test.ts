import { expect, it } from "vitest";
import type { LiveEvent } from "../../src/dashboard/page/live.ts";
import { type Entry, folded } from "../../src/dashboard/page/transcript-fold.ts";

type Told = readonly [LiveEvent["type"], LiveEvent["data"]?];

const starts = (call: string): Told => ["tool:start", { call, tool: "bash", input: '{"command":"ls"}' }];
const runs = (call: string): Told => ["tool:running", { call, tool: "bash" }];
const ends = (call: string, status: string, output = ""): Told => ["tool:result", { call, status, output }];

const after = (...told: readonly Told[]): readonly Entry[] =>
  told.reduce<readonly Entry[]>(
    (entries, [type, data = {}], index) =>
      folded(entries, { id: index + 1, type, data, at: "2026-01-01T00:00:00Z", turn: 1 }),
    [],
  );
/** Where the calls are, in the order in which they began. */
const calls = (...told: readonly Told[]) =>
  after(...told).map((entry) => (entry.kind === "tool" ? [entry.status, entry.output] : entry.kind));

it("shows a call as pending until it is let go, as running until it has ended, and then with its output", () => {
  expect(calls(starts("a"))).toEqual([["pending", null]]);
  expect(calls(starts("a"), runs("a"))).toEqual([["running", null]]);
  expect(calls(starts("a"), runs("a"), ends("a", "success", "README.md"))).toEqual([
    ["success", "README.md"],
  ]);
  expect(calls(starts("a"), ends("a", "denied", "no"))).toEqual([["denied", "no"]]);
  expect(after(starts("a"))).toMatchObject([{ call: "a", tool: "bash", input: '{"command":"ls"}' }]);
});

it("changes only the call that is named, the oldest open one where several have the name, and none that has ended", () => {
  expect(calls(starts("a"), starts("b"), runs("b"))).toEqual([
    ["pending", null],
    ["running", null],
  ]);
  expect(
    calls(starts("a"), starts("a"), runs("a"), ends("a", "failure", "1"), ends("a", "denied", "2")),
  ).toEqual([
    ["failure", "1"],
    ["denied", "2"],
  ]);
  const ended = [starts("a"), ends("a", "success", "1")];
  expect(calls(...ended, runs("a"))).toEqual([["success", "1"]]);
  expect(calls(...ended, ends("a", "failure", "2"))).toEqual([["success", "1"]]);
  expect(calls(runs("a"), ends("a", "success"))).toEqual([]);
});

it("joins what is said up to a call, and does not repeat the error that a call's result shows", () => {
  const speech: readonly Told[] = [
    ["stream:token", { text: "I " }],
    ["stream:token", { text: "look." }],
  ];
  const failed: readonly Told[] = [
    ["agent:error", { code: "tool_failed", error: "no such file" }],
    ["agent:error", { code: "model_error", error: "overloaded" }],
  ];
  expect(
    after(...speech, starts("a"), runs("a"), ends("a", "failure", "no such file"), ...failed),
  ).toMatchObject([
    { kind: "said", text: "I look." },
    { kind: "tool", status: "failure" },
    { kind: "note", text: "Error: overloaded" },
  ]);
});

it("takes no event twice, and keeps the latest 600 entries", () => {
  const first = after(starts("a"));
  const again = { id: 1, type: "tool:start", data: { call: "a" }, at: "", turn: null } as const;
  expect(folded(first, again)).toBe(first);
  const many = after(...Array.from({ length: 605 }, (_, n) => starts(String(n))));
  expect(many).toHaveLength(600);
  expect(many[0]).toMatchObject({ call: "5" });
});

it("keeps how long a call took, and says in words why an agent went on or stopped", () => {
  const timed: Told = ["tool:result", { call: "a", status: "success", output: "", duration_ms: 1200 }];
  expect(after(starts("a"), timed)).toMatchObject([{ duration: 1200 }]);
  expect(
    after(
      ["agent:starting", { cause: "START", reason: null }],
      ["agent:paused", { state: "SLEEPING", reason: "#2: it is red" }],
      ["agent:starting", { cause: "WAKE", reason: "blocker" }],
      ["agent:paused", { state: "ESCALATED", reason: "which one?" }],
    ),
  ).toMatchObject([
    { text: "Started" },
    { text: "Stopped to wait: #2: it is red" },
    { text: "Continued: what it waited for is done" },
    { text: "Stopped, and needs a person: which one?" },
  ]);
});

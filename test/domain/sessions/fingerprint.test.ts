import { expect, it } from "vitest";
import { callFingerprint, canonical, hash, normalised } from "../../../src/domain/sessions/fingerprint.ts";
import { nested } from "./nested.ts";

it.each([
  ["built in 12 ms", "built in 1.5s"],
  ["done at 2025-01-02T03:04:05Z", "done at 2026-11-12T13:14:15.678+01:00"],
  ["12:13:14 ready", "22:23:24.5 ready"],
  ["at 0x7f3a00", "at 0xdeadbeef"],
  ["commit 1f0c2aa", "commit 99ab01c77"],
  ["pid 12", "pid 34567"],
  ["<shellId: 3 completed with exit code 0>", "<shellId: 14 completed with exit code 0>"],
  ["in /tmp/tmp.x1y2", "in /tmp/build-9"],
  ["src/a.ts:3:7 error", "src/a.ts:14:2 error"],
  ["  3:7  error", "  44:1  error"],
  ["id 6f1b2c3d-0000-4000-8000-000000000001", "id 00000000-1111-4222-8333-444444444444"],
  ["\u001b[31mred\u001b[0m", "red"],
  ["two\n  lines", "two lines"],
])("reads %j and %j as the same", (one, other) => {
  expect(normalised(one)).toBe(normalised(other));
});

it.each([
  ["3 failed, 27 passed", "2 failed, 28 passed"],
  ["error TS2322", "error TS2304"],
  ["expected 3 to be 4", "expected 3 to be 5"],
  ["module a is added", "module b is added"],
])("keeps %j and %j apart", (one, other) => {
  expect(normalised(one)).not.toBe(normalised(other));
});

it("looks at the beginning and at the end of a long output", () => {
  const middle = "x".repeat(50_000);
  expect(normalised(`a${middle}b`)).not.toBe(normalised(`a${middle}c`));
  expect(normalised(`a${middle}b`)).not.toBe(normalised(`c${middle}b`));
  expect(normalised(`a${middle}b`).length).toBeLessThan(20_000);
});

it("reads arguments alike whatever the order of their keys", () => {
  expect(canonical({ b: [1, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  expect(canonical(undefined)).toBe("null");
  expect(canonical(nested(10_000))).toBe(`${"[".repeat(101)}"…"${"]".repeat(101)}`);
});

it("tells calls apart by tool, arguments, success and output, and not by time", () => {
  const call = { tool: "view", args: { path: "a" }, ok: true, output: "A", ms: 1 };
  const fingerprints = [
    call,
    { ...call, tool: "grep" },
    { ...call, args: { path: "b" } },
    { ...call, ok: false },
    { ...call, output: "B" },
  ].map(callFingerprint);
  expect(new Set(fingerprints).size).toBe(5);
  expect(callFingerprint({ ...call, ms: 99 })).toBe(fingerprints[0]);
});

it("hashes alike what is alike only", () => {
  expect(hash("a")).toBe(hash("a"));
  expect(new Set(Array.from({ length: 5000 }, (_, index) => hash(String(index)))).size).toBe(5000);
});

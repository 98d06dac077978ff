import { describe, expect, it } from "vitest";
import { nitStorm, rubberStamp } from "../../../src/domain/review/alarms.ts";

const of = (approves: boolean, ...bodies: readonly string[]) => ({
  approves,
  comments: bodies.map((body) => ({ path: "a.ts", line: 1, body, inline: true })),
});
const comments = (count: number) => of(false, ...Array.from({ length: count }, () => "Broken."));
const approvals = (count: number) => Array.from({ length: count }, () => of(true));

describe("a reviewer that approves everything", () => {
  it.each([
    [4, null],
    [5, "reviewer approved nearly all of its last 5 reviews"],
    [6, null],
    [21, null],
  ])("is told of once, at the fifth of them (%i)", (count, told) => {
    expect(rubberStamp("reviewer", approvals(count))).toBe(told);
  });

  it("is not one that rejects one in twenty, and is one again when that is long ago", () => {
    expect(rubberStamp("reviewer", [of(true), of(false), ...approvals(18)])).toBeNull();
    expect(rubberStamp("reviewer", [...approvals(20), of(false)])).toContain("its last 20 reviews");
  });
});

describe("a reviewer that looks for nits", () => {
  const nits = of(false, "nit: shorter", "**Nit** again");

  it("rejects three times in a row for nothing else", () => {
    expect(nitStorm("reviewer", [nits, nits])).toBeNull();
    expect(nitStorm("reviewer", [nits, nits, nits])).toContain("3 times in a row");
    expect(nitStorm("reviewer", [nits, of(false, "nit: x", "It breaks."), nits])).toBeNull();
    expect(nitStorm("reviewer", [nits, of(true, "nit: x"), nits])).toBeNull();
    expect(nitStorm("reviewer", [nits, of(false), nits])).toBeNull();
  });

  it("makes more comments in one verdict than anybody acts on", () => {
    expect(nitStorm("reviewer", [comments(20)])).toBeNull();
    expect(nitStorm("reviewer", [comments(21)])).toBe("reviewer made 21 comments in one verdict");
    expect(nitStorm("reviewer", [])).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import {
  changedMarks,
  type MarkChange,
  MOST_MARKS,
  marksText,
  NO_MARKS,
  readMarks,
  ttlFault,
} from "../../../src/domain/agents/marks.ts";
import { AT, HOUR } from "../../factories/moment.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
const none: MarkChange = { labels: [], tags: [], unlabel: [], untag: [] };

describe("what is said to be set", () => {
  it("is read word by word", () => {
    expect(
      readMarks("ttl=8h tag=urgent label=team=core untag=old unlabel=area tag=v1.2_b-3".split(" ")),
    ).toEqual({
      ttlMs: 8 * HOUR,
      labels: ["team=core"],
      tags: ["urgent", "v1.2_b-3"],
      unlabel: ["area"],
      untag: ["old"],
    });
    expect(readMarks(["ttl=none"])).toEqual({ ...none, ttlMs: null });
    expect(readMarks([])).toEqual(none);
  });

  it.each([
    ["ttl=soon", "a ttl is one number with its unit"],
    ["ttl", "a ttl is one number with its unit"],
    ["tag=", "a tag is 1 to 50 letters"],
    ["tag=two words", "a tag is 1 to 50 letters"],
    ["tag=\u202Eevil", "a tag is 1 to 50 letters"],
    ["tag=-x", "a tag is 1 to 50 letters"],
    ["tag=@alice", "a tag is 1 to 50 letters"],
    [`tag=${"x".repeat(51)}`, "a tag is 1 to 50 letters"],
    ["untag=#1", "a tag is 1 to 50 letters"],
    ["label=team", "a label is `key=value`"],
    ["label=team=a=b", "a label is `key=value`"],
    ["label==core", "a label is `key=value`"],
    ["unlabel=", "the key of a label is"],
    ["colour=red", "`colour=red` sets nothing"],
    ["to`day", "`to'day` sets nothing"],
  ])("and %j is refused", (word, fault) => {
    expect(readMarks([word])).toEqual({ fault: expect.stringContaining(fault) });
  });
});

describe("a change", () => {
  const marks = { ttlMs: HOUR, labels: ["team=core", "area=api"], tags: ["a", "b"] };

  it("leaves what it does not name, puts a label in the place of the one with its key, and a tag once", () => {
    expect(changedMarks(marks, none)).toEqual(marks);
    expect(
      changedMarks(marks, { ...none, ttlMs: null, labels: ["team=web"], tags: ["b", "c"], untag: ["a"] }),
    ).toEqual({ ttlMs: null, labels: ["team=web", "area=api"], tags: ["b", "c"] });
    expect(changedMarks(marks, { ...none, unlabel: ["team", "unknown"] })).toEqual({
      ...marks,
      labels: ["area=api"],
    });
  });

  it("is refused where there would be too many", () => {
    expect(changedMarks(NO_MARKS, { ...none, tags: many(MOST_MARKS) })).toMatchObject({ tags: many(20) });
    const fault = { fault: "an agent has at most 20 labels and 20 tags" };
    expect(changedMarks(NO_MARKS, { ...none, tags: many(MOST_MARKS + 1) })).toEqual(fault);
    const labels = many(MOST_MARKS + 1).map((key) => `${key}=x`);
    expect(changedMarks(NO_MARKS, { ...none, labels })).toEqual(fault);
  });

  it("gives no time to live that is over", () => {
    expect(ttlFault({ createdAt: AT }, HOUR, AT + HOUR - 1)).toBeNull();
    expect(ttlFault({ createdAt: AT }, null, AT + HOUR)).toBeNull();
    expect(ttlFault({ createdAt: AT }, HOUR, AT + 2 * HOUR)).toBe(
      "the agent is 2 h old, so ttl=1h has already expired",
    );
  });
});

it("marks read as one line", () => {
  expect(marksText({ ttlMs: 8 * HOUR, labels: ["team=core"], tags: ["urgent"] })).toBe(
    "ttl=8h team=core urgent",
  );
  expect(marksText(NO_MARKS)).toBe("");
});

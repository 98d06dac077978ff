import { describe, expect, it } from "vitest";
import {
  type AttributeChange,
  attributesText,
  changedAttributes,
  MOST_ATTRIBUTES,
  NO_ATTRIBUTES,
  readAttributes,
  ttlFault,
} from "../../../src/domain/agents/agent-attributes.ts";
import { AT, HOUR } from "../../factories/moment.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
const none: AttributeChange = { labels: [], tags: [], unlabel: [], untag: [] };

describe("what is said to be set", () => {
  it("is read word by word", () => {
    expect(
      readAttributes("ttl=8h tag=urgent label=team=core untag=old unlabel=area tag=v1.2_b-3".split(" ")),
    ).toEqual({
      ttlMs: 8 * HOUR,
      labels: ["team=core"],
      tags: ["urgent", "v1.2_b-3"],
      unlabel: ["area"],
      untag: ["old"],
    });
    expect(readAttributes(["ttl=none"])).toEqual({ ...none, ttlMs: null });
    expect(readAttributes([])).toEqual(none);
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
    expect(readAttributes([word])).toEqual({ fault: expect.stringContaining(fault) });
  });
});

describe("a change", () => {
  const attributes = { ttlMs: HOUR, labels: ["team=core", "area=api"], tags: ["a", "b"] };

  it("leaves what it does not name, puts a label in the place of the one with its key, and a tag once", () => {
    expect(changedAttributes(attributes, none)).toEqual(attributes);
    expect(
      changedAttributes(attributes, {
        ...none,
        ttlMs: null,
        labels: ["team=web"],
        tags: ["b", "c"],
        untag: ["a"],
      }),
    ).toEqual({ ttlMs: null, labels: ["team=web", "area=api"], tags: ["b", "c"] });
    expect(changedAttributes(attributes, { ...none, unlabel: ["team", "unknown"] })).toEqual({
      ...attributes,
      labels: ["area=api"],
    });
  });

  it("is refused where there would be too many", () => {
    expect(changedAttributes(NO_ATTRIBUTES, { ...none, tags: many(MOST_ATTRIBUTES) })).toMatchObject({
      tags: many(20),
    });
    const fault = { fault: "an agent has at most 20 labels and 20 tags" };
    expect(changedAttributes(NO_ATTRIBUTES, { ...none, tags: many(MOST_ATTRIBUTES + 1) })).toEqual(fault);
    const labels = many(MOST_ATTRIBUTES + 1).map((key) => `${key}=x`);
    expect(changedAttributes(NO_ATTRIBUTES, { ...none, labels })).toEqual(fault);
  });

  it("gives no time to live that is over", () => {
    expect(ttlFault({ createdAt: AT }, HOUR, AT + HOUR - 1)).toBeNull();
    expect(ttlFault({ createdAt: AT }, null, AT + HOUR)).toBeNull();
    expect(ttlFault({ createdAt: AT }, HOUR, AT + 2 * HOUR)).toBe(
      "the agent is 2 h old, so ttl=1h has already expired",
    );
  });
});

it("attributes read as one line", () => {
  expect(attributesText({ ttlMs: 8 * HOUR, labels: ["team=core"], tags: ["urgent"] })).toBe(
    "ttl=8h team=core urgent",
  );
  expect(attributesText(NO_ATTRIBUTES)).toBe("");
});

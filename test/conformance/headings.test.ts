import { describe, expect, it } from "vitest";
import { headingFaults, headingsCovered } from "./headings.ts";
import { wordsSection } from "./words.ts";

const suite = (name: string, ...names: readonly string[]) => ({
  type: "suite" as const,
  name,
  tasks: names.map((test) => ({ type: "test" as const, name: test })),
});
const file = { ...suite("a.test.ts"), tasks: [suite("the states", "one"), suite("the empty part")] };

describe("a heading", () => {
  it("is covered by a part with tests, or explained", () => {
    const because = "It shows screens of another program.";
    expect(
      headingFaults(
        [
          ["States", { by: ["the states"] }],
          ["Wireframes", { because }],
        ],
        file,
      ),
    ).toEqual([]);
  });

  it.each([
    ["by a part that is not there", "Events", { by: ["the events"] }, "Events: there is no part the events"],
    [
      "by a part without tests",
      "Empty",
      { by: ["the empty part"] },
      "Empty: there is no part the empty part",
    ],
    ["by no part", "Events", { by: [] }, "Events: is not covered"],
    ["by too short a reason", "Events", { because: "no" }, "Events: has no reason"],
  ])("covered %s is found", (_, title, shown, fault) => {
    expect(headingFaults([[title, shown]], file)).toEqual([fault]);
  });

  it("told twice is found", () => {
    const twice = ["States", { by: ["the states"] }] as const;
    expect(headingFaults([twice, twice], file)).toEqual(["States: is told twice"]);
  });
});

headingsCovered([["The list of headings", { by: ["a heading"] }]]);

it("words make a table", () => {
  expect(wordsSection("Document 000", [["running", "executing", "tools run"]])).toBe(
    [
      "### Document 000",
      "",
      "| the document's word | ours | note |",
      "|---|---|---|",
      "| running | executing | tools run |",
      "",
    ].join("\n"),
  );
});

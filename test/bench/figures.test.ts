import { describe, expect, it } from "vitest";
import { asMarkdown, asText } from "../../bench/table.ts";

const part = {
  bench: { name: "paper", about: "planes thrown" },
  rows: [
    {
      what: "planes",
      unit: "per second",
      ours: [1200, 900, 1500],
      reference: { name: "by hand", rounds: [300, 100] },
    },
    { what: "weight", unit: "kB", ours: [12.34], reference: { name: "of lead", rounds: [400_000] } },
    { what: "crashes", unit: "%", ours: [0.5], reference: { name: "none", rounds: [0] } },
  ],
};

describe("the table of the benches", () => {
  it("has each median with its spread beside that of the reference, and how many times that it is", () => {
    expect(asText([part]).split("\n")).toEqual([
      "                      Flotilla           reference                 ratio",
      "paper",
      "  planes, per second  1,200 (900–1,500)  200 (100–300) by hand      6.00",
      "  weight, kB          12.3               400,000 of lead        0.000031",
      "  crashes, %          0.50               0.00 none                     –",
    ]);
  });

  it("says in Markdown where it was measured", () => {
    expect(asMarkdown([part], "two cores").split("\n")).toEqual([
      "Measured on two cores",
      "",
      "| | Flotilla | reference | ratio |",
      "|---|---|---|---:|",
      "| **paper** | | | |",
      "| planes, per second | 1,200 (900–1,500) | 200 (100–300) by hand | 6.00 |",
      "| weight, kB | 12.3 | 400,000 of lead | 0.000031 |",
      "| crashes, % | 0.50 | 0.00 none | – |",
    ]);
  });

  it("shows no figure where nothing was measured", () => {
    const nothing = { what: "planes", unit: "%", ours: [], reference: { name: "none", rounds: [1] } };
    expect(() => asText([{ ...part, rows: [nothing] }])).toThrow("nothing was measured");
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BENCHES } from "../../bench/benches.ts";
import { withParts } from "../docs/parts.ts";

const PAGE = readFileSync("docs/performance.md", "utf8");

describe("docs/performance.md", () => {
  it("has a place for the table", () => {
    expect(withParts(PAGE, { figures: "the table" })).toContain("the table");
  });

  it.each(BENCHES.map(({ name }) => [name]))("has figures of %s, and says how they were measured", (name) => {
    expect(PAGE).toContain(`\n| **${name}** | | | |\n`);
    expect(PAGE).toContain(`\n- **${name}**: `);
  });
});

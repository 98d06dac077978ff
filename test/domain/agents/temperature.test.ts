import { describe, expect, it } from "vitest";
import { temperature } from "../../../src/domain/agents/temperature.ts";

describe("a temperature", () => {
  it.each([0, 0.2, 1])("may be %d", (value) => {
    expect(temperature.safeParse(value).success).toBe(true);
  });

  it.each([-0, -0.1, 1.1, Infinity, Number.NaN, "0.5", null])("is not %o", (value) => {
    expect(temperature.safeParse(value).success).toBe(false);
  });
});

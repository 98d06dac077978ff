import { expect, it } from "vitest";
import { lastTransitions } from "../../../src/domain/status/last-transitions.ts";

it("is nothing where nothing has moved", () => {
  expect(lastTransitions([])).toEqual([]);
});

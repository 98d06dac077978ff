import { expect, it } from "vitest";
import { shortened } from "../../src/server/crash-points.ts";

it("takes the time to the second look from the environment, and nothing that is no time", () => {
  expect(shortened("300")).toBe(300);
  for (const none of [undefined, "", "soon", "-1"]) expect(shortened(none)).toBeUndefined();
});

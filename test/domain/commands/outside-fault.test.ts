import { expect, it } from "vitest";
import { faultOfOutside } from "../../../src/domain/commands/outside-fault.ts";
import { OutsideError, StaleSnapshot } from "../../../src/domain/kernel/errors.ts";

const met = (code: string, options: ConstructorParameters<typeof OutsideError>[2]) =>
  faultOfOutside(new OutsideError(code, "what happened", options));

it("tells what passes by itself from what does not", () => {
  expect(met("rate_limited", { consequence: "park", retryAt: 7 })).toEqual({
    code: "rate_limited",
    reset_at: 7,
  });
  const passing = { code: "transport_unavailable", detail: "what happened" };
  expect(met("rate_limited", { consequence: "park" })).toEqual(passing);
  expect(met("unavailable", { consequence: "retry", retryAt: 7 })).toEqual(passing);
  expect(met("odd", { consequence: "stop" })).toEqual({ code: "internal", detail: "what happened" });
  expect(met("odd", { consequence: "tell" })).toEqual({ code: "internal", detail: "what happened" });
});

it.each(["forbidden", "unauthorized"])("%s is a right that is missing", (code) => {
  expect(met(code, { consequence: "tell" })).toEqual({
    code: "permission_denied",
    needed: "a right that is missing: what happened",
  });
});

it("names the machine whose snapshot was stale", () => {
  expect(faultOfOutside(new StaleSnapshot("task", 3))).toEqual({ code: "stale_snapshot", machine: "task" });
});

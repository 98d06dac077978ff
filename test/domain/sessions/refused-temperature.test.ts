import { describe, expect, it } from "vitest";
import type { ExchangeEnd } from "../../../src/domain/ports/agent-runtime.ts";
import { explained } from "../../../src/domain/sessions/refused-temperature.ts";

const refused = (detail: string): ExchangeEnd => ({
  kind: "model_error",
  reason: "invalid_request",
  consequence: "stop",
  status: 400,
  retryAfterMs: undefined,
  detail,
});
const UNSUPPORTED = refused("Unsupported parameter: 'temperature' is not supported with this model.");
const ROLE = { name: "feat-dev", temperature: 0.2 };

describe("a request that the provider refuses because of its temperature", () => {
  it("names the role's key, and what the provider says", () => {
    expect(explained(UNSUPPORTED, ROLE, null)).toMatchObject({
      consequence: "stop",
      detail:
        "the provider does not take the temperature 0.2 of feat-dev with this model. Change `temperature` in the role file of feat-dev, or take it out. The provider says: Unsupported parameter: 'temperature' is not supported with this model.",
    });
  });

  it("names the start's own", () => {
    expect(explained(refused("Temperature: range"), ROLE, 0.2)).toMatchObject({
      detail:
        "the provider does not take the temperature 0.2 of feat-dev with this model. Say `/flotilla start feat-dev` with another `temperature=`, or without it for the `temperature` of the role file. The provider says: Temperature: range",
    });
  });

  it.each<[string, ExchangeEnd, number | undefined]>([
    ["the role has none", UNSUPPORTED, undefined],
    ["the refusal is about something else", refused("no such model"), 0.2],
    ["the exchange ended otherwise", { kind: "aborted" }, 0.2],
    [
      "the provider is at its limit",
      {
        kind: "model_error",
        reason: "rate_limit",
        consequence: "park",
        status: 429,
        retryAfterMs: undefined,
        detail: "temperature",
      },
      0.2,
    ],
  ])("is left alone where %s", (_, end, sent) => {
    expect(explained(end, { ...ROLE, temperature: sent }, null)).toBe(end);
  });
});

import { describe, expect, it } from "vitest";
import { afterEvaluator, type EvaluatorEnd } from "../../../src/domain/evidence/after-evaluator.ts";
import { AT, MINUTE } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";

const after = (end: EvaluatorEnd, agent = anAgent()) =>
  afterEvaluator(end, {
    at: AT,
    agent,
    providerAt: AT + 5 * MINUTE,
    idleSince: AT - MINUTE,
    used: "900 of 900 tokens",
    keyVariable: "MODEL_API_KEY",
  });
const refused = (consequence: "park" | "tell"): EvaluatorEnd => ({
  kind: "refused",
  end: {
    kind: "model_error",
    reason: consequence === "park" ? "rate_limit" : "authentication",
    consequence,
    status: 429,
    retryAfterMs: undefined,
    detail: "Slow down.",
  },
});

describe("after an evaluator was asked", () => {
  it("nothing follows for the agent when it has spoken or was cut off", () => {
    expect(after({ kind: "evaluated" })).toBeNull();
    expect(after({ kind: "cut_off" })).toBeNull();
  });

  it("an agent that has spent what it may asks a person, naming the limit", () => {
    expect(after({ kind: "limit", limit: "max_tokens" })).toMatchObject({
      type: "ESCALATE",
      breaker: "max_tokens",
      reason: "the limit max_tokens is reached: 900 of 900 tokens",
    });
  });

  it("the agent waits while the repository's day is spent, or the provider answers nobody", () => {
    expect(after({ kind: "limit", limit: "repository_per_day" })).toMatchObject({
      type: "WAIT",
      reason: "retry",
      crash: false,
    });
    for (const end of [refused("park"), { kind: "limit", limit: "provider_limit" } as const])
      expect(after(end)).toMatchObject({
        type: "WAIT",
        reason: "provider_limit",
        dueAt: AT + 5 * MINUTE,
        idleSince: AT - MINUTE,
      });
  });

  it("a refused key asks a person about the key", () => {
    expect(after(refused("tell"))).toMatchObject({ type: "ESCALATE", category: "provider" });
  });

  it("silence asks a person, by a category of its own, with the two ways to continue", () => {
    expect(after({ kind: "silent", detail: "it died" })).toMatchObject({
      type: "ESCALATE",
      category: "evaluator",
      breaker: null,
      reason: expect.stringContaining("the evaluator did not answer: it died"),
      question: expect.stringMatching(/`\/flotilla resume`.*`\/flotilla complete`/),
    });
  });

  it("nothing follows for an agent that is not at work any more", () => {
    expect(after({ kind: "limit", limit: "max_tokens" }, anAgent({ state: "CANCELLED" }))).toBeNull();
  });
});

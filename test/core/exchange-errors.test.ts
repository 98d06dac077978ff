import { expect, it } from "vitest";
import { afterExchange, type ExchangeFacts } from "../../src/core/exchange.ts";
import { AT } from "../factories/moment.ts";
import { anAgent } from "../factories/records.ts";

const FACTS: Omit<ExchangeFacts, "end"> = {
  at: AT,
  agent: anAgent(),
  intent: null,
  blocker: null,
  breaker: null,
  wrapUp: null,
  room: true,
  pending: false,
  maxRestarts: 3,
  providerAt: AT,
  idleSince: AT,
  used: "",
  keyVariable: "MODEL_API_KEY",
};
const model = (consequence: "retry" | "park" | "stop") =>
  ({
    kind: "model_error",
    reason: "unavailable",
    consequence,
    status: 400,
    retryAfterMs: undefined,
    detail: "no",
  }) as const;

it.each([
  ["process_died", { end: { kind: "runtime_died", detail: "signal 9" } }],
  ["no_sign_of_life", { end: { kind: "lifeless", detail: "it hangs" } }],
  ["model_unavailable", { end: model("retry") }],
  ["model_unavailable", { end: model("park") }],
  ["model_refused", { end: model("stop") }],
  ["max_active_duration", { end: { kind: "deadline" } }],
  ["model_unavailable", { end: { kind: "aborted" }, breaker: "provider_limit" }],
  ["day_budget_spent", { end: { kind: "aborted" }, breaker: "repository_per_day" }],
] as const)("gives the move after an error the code %s: %o", (code, facts) => {
  expect(afterExchange({ ...FACTS, ...facts })).toMatchObject({ next: "move", event: { code } });
});

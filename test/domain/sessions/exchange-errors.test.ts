import { expect, it } from "vitest";
import { NO_REPLANNER } from "../../../src/domain/planning/replanning.ts";
import { afterExchange, type ExchangeFacts } from "../../../src/domain/sessions/exchange.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";

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
  replanner: NO_REPLANNER,
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
  ["process_died", "a death of its process", { end: { kind: "runtime_died", detail: "signal 9" } }],
  ["no_sign_of_life", "silence", { end: { kind: "lifeless", detail: "it hangs" } }],
  ["model_unavailable", "no answer", { end: model("retry") }],
  ["model_unavailable", "a provider at its limit", { end: model("park") }],
  ["model_refused", "a refused request", { end: model("stop") }],
  ["max_active_duration", "its time", { end: { kind: "deadline" } }],
  ["model_unavailable", "a limit that is known", { end: { kind: "aborted" }, breaker: "provider_limit" }],
  ["day_budget_spent", "the day's budget", { end: { kind: "aborted" }, breaker: "repository_per_day" }],
] as const)("gives the move after an error the code %s after %s", (code, _, facts) => {
  expect(afterExchange({ ...FACTS, ...facts })).toMatchObject({ next: "move", event: { code } });
});

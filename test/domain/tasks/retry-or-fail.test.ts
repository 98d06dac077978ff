import { expect, it } from "vitest";
import { NO_REPLANNER } from "../../../src/domain/planning/replanning.ts";
import { afterExchange } from "../../../src/domain/sessions/exchange.ts";
import { retryOrFail } from "../../../src/domain/tasks/retry-or-fail.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";

const what = "the agent's process died";
const tried = (restarts: number, maxRestarts: number) =>
  retryOrFail(
    { agent: { restarts }, at: AT, maxRestarts },
    { code: "process_died", what, detail: "signal 9" },
  );

it("waits after a failed try, also the last one that is allowed, and says what made it fail", () => {
  expect(tried(2, 3)).toMatchObject({ type: "WAIT", dueAt: AT + 20_000 });
  expect(tried(1, 3)).toMatchObject({
    type: "WAIT",
    actor: "flotilla",
    reason: "retry",
    crash: true,
    dueAt: AT + 10_000,
    detail: "the agent's process died: signal 9",
    code: "process_died",
  });
});

it.each([
  [3, 3, "4 tries in a row failed; the last time the agent's process died: signal 9"],
  [0, 0, "the agent's process died: signal 9"],
])("after %i restarts of %i fails, and names the last cause alone", (restarts, most, reason) => {
  expect(tried(restarts, most)).toMatchObject({ type: "FAIL", reason, code: "process_died" });
});

it("fails for good where a new attempt would meet the same", () => {
  const cause = { code: "process_died", what, detail: "signal 9" } as const;
  const failed = (curable: boolean) =>
    retryOrFail({ agent: { restarts: 3 }, at: AT, maxRestarts: 3, curable }, cause);
  expect(failed(true)).toMatchObject({ type: "FAIL", curable: true });
  expect(failed(false)).toMatchObject({ type: "FAIL" });
  expect(failed(false)).not.toHaveProperty("curable");
});

it("says of an agent that was ended without a sign of life that it showed none, and not that it died", () => {
  const facts = {
    at: AT,
    agent: anAgent({}),
    intent: null,
    blocker: null,
    replanner: NO_REPLANNER,
    breaker: null,
    wrapUp: null,
    room: false,
    pending: false,
    maxRestarts: 3,
    providerAt: AT,
    idleSince: AT,
    used: "",
    keyVariable: "MODEL_API_KEY",
  };
  expect(afterExchange({ ...facts, end: { kind: "lifeless", detail: "it hangs" } })).toMatchObject({
    event: { type: "WAIT", detail: "the agent showed no sign of life: it hangs" },
  });
});

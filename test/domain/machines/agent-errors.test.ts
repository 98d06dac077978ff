import { expect, it } from "vitest";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "./agent-events.ts";
import { took } from "./agent-take.ts";

it.each([
  [null, "decision", "person_needed"],
  [null, "provider", "key_refused"],
  ["max_tool_calls", "limit", "max_tool_calls"],
  ["max_iterations", "limit", "max_iterations"],
] as const)(
  "an escalation at limit %s of category %s gives its run the code %s",
  (breaker, category, code) => {
    const around = surroundings({ run: "planning" });
    const move = took(anAgent(), agentEvent("ESCALATE", { breaker, category, around }));
    expect(move.emits.at(-1)).toMatchObject({ machine: "run", event: { code } });
  },
);

it("a wait after an error gives its run the code of the error, and another one where it has none", () => {
  const wait = agentEvent("WAIT", { reason: "retry", code: "git_unavailable" });
  expect(took(anAgent(), wait).emits[0]).toMatchObject({ event: { type: "ERROR", code: "git_unavailable" } });
  const bare = agentEvent("WAIT", { reason: "retry" });
  expect(took(anAgent(), bare).emits[0]).toMatchObject({ event: { type: "ERROR", code: "internal_error" } });
});

it("an end gives its run the code of the failure", () => {
  const fail = agentEvent("FAIL", { code: "lease_lost" });
  expect(took(anAgent(), fail).emits[0]).toMatchObject({ event: { type: "ERROR", code: "lease_lost" } });
});

it.each([
  ["question", "question_deadline"],
  ["blocked", "max_sleep_duration"],
] as const)(
  "a sleep (%s) past its deadline fails its run with the code %s, a sentence and how long it slept",
  (sleepReason, code) => {
    const error = "it slept past its deadline, waiting for #7";
    for (const sleptMs of [0, 5000]) {
      const sleepingSince = sleptMs === 0 ? null : AT - sleptMs;
      const sleeper = anAgent({ state: "SLEEPING", sleepReason, sleepingSince });
      expect(took(sleeper, agentEvent("EXPIRE", { at: AT })).emits[0]).toMatchObject({
        event: { type: "TIMEOUT", error, code, sleptMs },
      });
    }
  },
);

it("one wake too many fails its run with the limit's code", () => {
  const sleeper = anAgent({ state: "SLEEPING", sleepReason: "blocked", wakes: 5 });
  const wake = agentEvent("WAKE", { reason: "blocker" });
  expect(took(sleeper, wake).emits[0]).toMatchObject({
    event: { type: "MAX_ITERATIONS", code: "max_iterations" },
  });
});

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { ConnectionLost, RpcError } from "../../../../src/adapters/runtimes/acp/connection.ts";
import { startExchange } from "../../../../src/adapters/runtimes/acp/exchange.ts";
import type { ModelFailure } from "../../../../src/adapters/runtimes/gateway/model-failure.ts";
import { createManualClock } from "../copilot/manual-clock.ts";

const REFUSED: ModelFailure = {
  kind: "model_error",
  reason: "rate_limit",
  consequence: "park",
  status: 429,
  retryAfterMs: 20_000,
  detail: "try again in 20s",
};

const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
};

/** An exchange whose agent, gateway and clock are the test's. */
function begun(
  options: { deadlineMs?: number; leftMs?: () => number } = {},
  { takesBack = false, isAnswered = false } = {},
) {
  const clock = createManualClock();
  const happened: string[] = [];
  const sent: { text: string; answer: PromiseWithResolvers<unknown> }[] = [];
  const state: { failure: ModelFailure | null; unread: string[]; why: string | null } = {
    failure: null,
    unread: [],
    why: null,
  };
  const exchange = startExchange(
    {
      clock,
      gateway: {
        begin: () => void happened.push("begin"),
        endTurn() {
          happened.push("endTurn");
          return isAnswered;
        },
        failure: () => state.failure,
        lastMessage: () => "Done.",
      },
      takesBack,
      send(text, isFirst) {
        const answer = Promise.withResolvers<unknown>();
        sent.push({ text: isFirst ? text : `then ${text}`, answer });
        return answer.promise;
      },
      cancel: () => void happened.push("cancel"),
      lost: async (isGone) => {
        happened.push(isGone ? "cleared" : "killed");
        return state.why;
      },
      unread: () => state.unread.shift() ?? null,
    },
    "do the work",
    { deadlineMs: 60_000, ...options },
  );
  return {
    clock,
    exchange,
    happened,
    sent,
    state,
    answer: (stopReason: string) => sent.at(-1)?.answer.resolve({ stopReason }),
    fail: (error: Error) => sent.at(-1)?.answer.reject(error),
  };
}

it("ends idle with the model's last message when the agent's turn ends", async () => {
  const { exchange, answer, happened, sent } = begun();
  answer("end_turn");
  expect(await exchange.ended).toEqual({ kind: "idle", lastMessage: "Done." });
  expect(happened).toEqual(["begin"]);
  expect(sent.map(({ text }) => text)).toEqual(["do the work"]);
});

it.each([
  ["refusal", "the model refused to continue"],
  ["max_tokens", "the model's answer was cut at its longest length"],
  ["max_turn_requests", "the agent stopped its turn: max_turn_requests"],
])("ends as an invalid request when the agent stops by %s", async (reason, detail) => {
  const { exchange, answer } = begun();
  answer(reason);
  expect(await exchange.ended).toMatchObject({
    kind: "model_error",
    reason: "invalid_request",
    consequence: "stop",
    detail,
  });
});

it("tells what the provider refused, whatever the agent makes of it", async () => {
  for (const end of ["end_turn", "cancelled"]) {
    const { exchange, state, answer } = begun();
    state.failure = REFUSED;
    answer(end);
    expect(await exchange.ended).toEqual(REFUSED);
  }
  const { exchange, state, fail } = begun();
  state.failure = REFUSED;
  fail(new RpcError(-32_603, "Internal error"));
  expect(await exchange.ended).toEqual(REFUSED);
});

it("has the agent end its turn when the model cannot be asked any more, and ends the process of one that does not", async () => {
  const { exchange, state, happened, clock } = begun();
  state.failure = REFUSED;
  exchange.refused();
  exchange.refused();
  expect(happened).toEqual(["begin", "cancel"]);
  clock.pass(10_000);
  expect(await exchange.ended).toEqual(REFUSED);
  expect(happened).toEqual(["begin", "cancel", "killed"]);
});

it("tells an agent's own failure, which concerns this conversation only", async () => {
  const { exchange, fail } = begun();
  fail(new RpcError(-32_603, "Internal error"));
  expect(await exchange.ended).toEqual({
    kind: "model_error",
    reason: "no_answer",
    consequence: "retry",
    status: undefined,
    retryAfterMs: undefined,
    detail: "the agent failed: Internal error",
  });
  const other = begun();
  other.sent[0]?.answer.resolve("what?");
  expect(await other.exchange.ended).toMatchObject({ reason: "no_answer" });
});

it("ends at the deadline, which moves while there is time left", async () => {
  const left = [5000, 0];
  const { exchange, answer, clock, happened } = begun({ deadlineMs: 1000, leftMs: () => left.shift() ?? 0 });
  clock.pass(1000);
  expect(happened).toEqual(["begin"]);
  clock.pass(5000);
  expect(happened).toEqual(["begin", "endTurn", "cancel"]);
  answer("cancelled");
  expect(await exchange.ended).toEqual({ kind: "deadline" });
});

it("ends as the first abort says, also when the agent claims to be done, and kills one that does not end", async () => {
  const { exchange, answer } = begun();
  exchange.abort("aborted");
  exchange.abort("deadline");
  answer("end_turn");
  expect(await exchange.ended).toEqual({ kind: "aborted" });

  const stuck = begun();
  stuck.exchange.abort("aborted");
  stuck.clock.pass(9999);
  await settled();
  expect(stuck.happened).not.toContain("killed");
  stuck.clock.pass(1);
  expect(await stuck.exchange.ended).toEqual({ kind: "aborted" });
});

it("cancels no turn of an agent that takes it back, where the gateway's answer ends it, unless that takes too long", async () => {
  const { exchange, answer, happened } = begun({}, { takesBack: true, isAnswered: true });
  exchange.abort("aborted");
  answer("end_turn");
  expect(await exchange.ended).toEqual({ kind: "aborted" });
  const refused = begun({}, { takesBack: true });
  refused.state.failure = REFUSED;
  refused.exchange.refused();
  refused.answer("end_turn");
  expect(await refused.exchange.ended).toEqual(REFUSED);
  expect([...happened, ...refused.happened]).not.toContain("cancel");
  const stays = begun({}, { takesBack: true, isAnswered: true });
  stays.exchange.abort("aborted");
  stays.clock.pass(10_000);
  expect(stays.happened.at(-1)).toBe("cancel");
});

it("counts a turn that the agent cancels by itself as aborted", async () => {
  const { exchange, answer } = begun();
  answer("cancelled");
  expect(await exchange.ended).toEqual({ kind: "aborted" });
});

it("ends after a terminal tool, also when the agent complains or stays", async () => {
  const { exchange, fail, happened } = begun();
  exchange.terminal();
  expect(happened).toEqual(["begin", "endTurn"]);
  fail(new RpcError(-32_603, "the model said nothing"));
  expect(await exchange.ended).toEqual({ kind: "idle", lastMessage: "Done." });

  const stays = begun();
  stays.exchange.terminal();
  stays.clock.pass(10_000);
  expect(stays.happened).toContain("cancel");
  stays.clock.pass(10_000);
  expect(await stays.exchange.ended).toEqual({ kind: "idle", lastMessage: "Done." });
  expect(stays.happened).toContain("killed");
});

it("ends when the process is gone, with what the system says of it", async () => {
  const { exchange, fail, happened } = begun();
  fail(new ConnectionLost("ended with exit code 3"));
  expect(await exchange.ended).toEqual({ kind: "runtime_died", detail: "ended with exit code 3" });
  expect(happened).toEqual(["begin", "cleared"]);

  const other = begun();
  other.state.why = "it used more memory than it may";
  other.fail(new ConnectionLost("closed its output"));
  expect(await other.exchange.ended).toEqual({
    kind: "runtime_died",
    detail: "it used more memory than it may",
  });
});

it("gives the agent what was denied and its model has not read, until there is nothing left", async () => {
  const { exchange, answer, state, sent } = begun();
  state.unread = ["not made: bash"];
  answer("end_turn");
  await settled();
  expect(sent.map(({ text }) => text)).toEqual(["do the work", "then not made: bash"]);
  state.unread = ["not made: view"];
  answer("cancelled");
  await settled();
  answer("end_turn");
  expect((await exchange.ended).kind).toBe("idle");
  expect(sent).toHaveLength(3);
});

it("gives nothing more to an agent whose turn we ended", async () => {
  const { exchange, answer, state, sent } = begun();
  state.unread = ["not made: bash"];
  exchange.abort("aborted");
  answer("cancelled");
  expect(await exchange.ended).toEqual({ kind: "aborted" });
  expect(sent).toHaveLength(1);
});

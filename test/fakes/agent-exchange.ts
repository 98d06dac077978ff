import { askGate } from "../../src/adapters/runtimes/copilot/gated-calls.ts";
import { toModelError } from "../../src/adapters/runtimes/copilot/model-error.ts";
import { commitIn, factIn, fillStep, type ModelMessage } from "../../src/demo/model/choose-step.ts";
import type { ScriptStep } from "../../src/demo/model/script.ts";
import type { ExchangeEnd, SessionSpec, ToolAnswer } from "../../src/domain/ports/agent-runtime.ts";
import type { Clock } from "../../src/domain/ports/clock.ts";

export interface FakeExchange {
  readonly ended: Promise<ExchangeEnd>;
  /** Ends the exchange now; the first call decides how. */
  stop(end: ExchangeEnd): void;
}

interface Parts {
  readonly spec: SessionSpec;
  /** Returns the model's answer; undefined if it has none. */
  readonly answer: (messages: readonly ModelMessage[], spec: SessionSpec) => ScriptStep | undefined;
  /** The conversation so far; the exchange adds to it. */
  readonly messages: ModelMessage[];
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly leftMs: () => number;
  /** Returns how full the context is; undefined if unknown. */
  readonly fill: () => number | undefined;
  readonly onRequest: (messages: readonly ModelMessage[]) => void;
}

type Call = NonNullable<ScriptStep["call"]>[number] & { readonly id: string };

const cutOff = "The execution of this tool, or a previous tool was interrupted.";

/**
 * Starts one exchange of the fake runtime: runs the script's steps against the gate and the tools until one of them
 * ends it.
 */
export function startFakeExchange(parts: Parts, prompt: string): FakeExchange {
  const { spec, messages, clock } = parts;
  const { promise: ended, resolve } = Promise.withResolvers<ExchangeEnd>();
  const gone = new AbortController();
  function stop(end: ExchangeEnd): void {
    cancelDeadline?.();
    gone.abort();
    resolve(end);
  }
  let cancelDeadline: (() => void) | undefined;
  function untilDeadline(ms: number): void {
    cancelDeadline = clock.after(ms, () => {
      const left = parts.leftMs();
      if (left > 0) untilDeadline(left);
      else stop({ kind: "deadline" });
    });
  }
  untilDeadline(parts.deadlineMs);

  async function run(): Promise<void> {
    messages.push({ role: "user", content: prompt });
    for (let turn = 0; !gone.signal.aborted && turn < 1000; turn += 1) {
      const turnId = String(turn);
      spec.onEvent({ type: "turn_started", turnId });
      const end = await takeTurn();
      if (gone.signal.aborted) return;
      spec.onEvent({ type: "turn_ended", turnId });
      if (end) stop(end);
    }
  }

  /** Runs one model call with its tools. Returns the end of the exchange if this was the last one. */
  async function takeTurn(): Promise<ExchangeEnd | undefined> {
    const refused = spec.mayCallModel(0);
    if (refused !== null) return toModelError({ errorType: "query", statusCode: 403, message: refused });
    parts.onRequest([...messages]);
    const chosen = parts.answer(messages, spec);
    if (!chosen)
      return toModelError({
        errorType: "query",
        statusCode: 400,
        message: "no conversation of the script matches",
      });
    if (chosen.delayMs) await wait(chosen.delayMs);
    if (gone.signal.aborted) return undefined;
    if (chosen.error)
      return toModelError({
        errorType: "query",
        statusCode: chosen.error.status,
        message: chosen.error.message,
      });
    const step = fillStep(chosen, {
      cwd: spec.workingDirectory,
      commit: commitIn(messages),
      fact: factIn(messages),
    });
    messages.push({ role: "assistant", content: step.say ?? "" });
    const tokens = { inputTokens: 100, outputTokens: 10, cachedTokens: 0 };
    spec.onEvent({ type: "usage", model: spec.model, ...tokens, answered: true });
    const fill = parts.fill();
    if (fill !== undefined)
      spec.onEvent({ type: "context", currentTokens: Math.round(fill * 1000), tokenLimit: 1000 });
    if (step.say) {
      spec.onEvent({ type: "message_delta", text: step.say });
      spec.onEvent({ type: "message", text: step.say });
    }
    const calls = (step.call ?? []).map((call, index) => ({
      ...call,
      id: `call-${messages.length}-${index}`,
    }));
    if (calls.length === 0) return { kind: "idle", lastMessage: step.say ?? "" };
    return (await runCalls(calls)) ? { kind: "idle", lastMessage: step.say ?? "" } : undefined;
  }

  /**
   * Asks the gate about all calls before the first one runs, as the real runtime does. Returns true if a terminal call
   * succeeded.
   */
  async function runCalls(calls: readonly Call[]): Promise<boolean> {
    for (const { id, tool, args } of calls)
      spec.onEvent({ type: "tool_started", toolCallId: id, toolName: tool, args });
    let isEnding = false;
    const limit = () => {
      isEnding = true;
      setImmediate(() => stop({ kind: "aborted" }));
    };
    const denials = await Promise.all(
      calls.map(({ tool, args }) =>
        askGate(spec.gate, { toolName: tool, args }, { limit, fault: () => undefined }),
      ),
    );
    if (gone.signal.aborted) return false;
    const ends = await Promise.all(
      calls.map(async (call, index) => {
        const denial = denials[index];
        // The abort reaches the real runtime with the gate's answers: an allowed call of that turn is cut off.
        if (denial === undefined && isEnding) await whenGone();
        const answer = denial
          ? { ok: false, text: denial.permissionDecisionReason }
          : await Promise.race([answerOf(call), interrupted()]);
        // A killed process reports nothing more.
        if (gone.signal.aborted) return false;
        const last = answer.ok && spec.tools.some(({ name, terminal }) => terminal && name === call.tool);
        const remark = denial || last ? null : await spec.remark();
        if (gone.signal.aborted) return false;
        messages.push({
          role: "tool",
          content: remark === null ? answer.text : `${answer.text}\n\n${remark}`,
        });
        spec.onEvent({
          type: "tool_ended",
          toolCallId: call.id,
          ok: answer.ok,
          denied: denial !== undefined,
          output: answer.text,
        });
        return last;
      }),
    );
    // If the gate asked for the end, it must come before the next model call.
    await new Promise<void>((next) => {
      setImmediate(next);
    });
    return ends.includes(true);
  }

  async function answerOf({ id, tool, args }: Call): Promise<ToolAnswer> {
    const ours = spec.tools.find(({ name }) => name === tool);
    if (ours) return ours.call(args, { toolCallId: id, signal: gone.signal });
    return { ok: true, text: `(${tool} is a tool of the runtime, which the fake does not run)` };
  }

  async function interrupted(): Promise<ToolAnswer> {
    await whenGone();
    return { ok: false, text: cutOff };
  }

  async function wait(ms: number): Promise<void> {
    const { promise: passed, resolve: pass } = Promise.withResolvers<void>();
    const cancel = clock.after(ms, pass);
    await Promise.race([passed, whenGone()]);
    cancel();
  }

  function whenGone(): Promise<void> {
    if (gone.signal.aborted) return Promise.resolve();
    const { promise, resolve: pass } = Promise.withResolvers<void>();
    gone.signal.addEventListener("abort", () => pass(), { once: true });
    return promise;
  }

  // Starts after the caller has received the exchange, because the first turn may want to stop it.
  queueMicrotask(() => void run());
  return { ended, stop };
}

import type { ToolGate } from "../../src/domain/ports/agent-runtime.ts";
import type { Given } from "./with-own-settings.ts";
import { eachRuntime } from "./with-own-settings.ts";

/** Begins to decide on a call once the one before it is decided. */
export function oneAfterAnother(gate: ToolGate): ToolGate {
  let before: Promise<unknown> = Promise.resolve();
  return (call) => {
    const answer = before.then(() => gate(call));
    before = answer.catch(() => {});
    return answer;
  };
}

/** Answers about no call of a message before all of them are decided. */
export function answeredTogether(gate: ToolGate): ToolGate {
  const asked: Promise<unknown>[] = [];
  return async (call) => {
    const answer = gate(call);
    asked.push(Promise.resolve(answer));
    await Promise.allSettled(asked);
    return answer;
  };
}

/** The runtime asks this gate. */
export const behind =
  (order: (gate: ToolGate) => ToolGate) =>
  (given: Given): Given => ({
    ...given,
    runtimes: eachRuntime(given, (runtime) => ({
      ...runtime,
      open: (spec) => runtime.open({ ...spec, gate: order(spec.gate) }),
    })),
  });

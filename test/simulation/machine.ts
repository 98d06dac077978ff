import type { Clock } from "../../src/domain/ports/clock.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { DeliveryConsumer } from "../../src/webhooks/queue/delivery-consumer.ts";
import { createFakeRuntime, type FakeAgentRuntime, type FakeModel } from "../fakes/agent-runtime.ts";
import type { FakeClock } from "../fakes/clock.ts";
import { createFakeRunner, type FakeRunner } from "../fakes/runner.ts";
import type { FakeWorktrees } from "../fakes/worktrees.ts";
import type { SimulatedLife } from "./ports.ts";
import type { Turns } from "./turns.ts";

/** One process of Flotilla: its engine and the consumer of its deliveries. */
export interface Process {
  readonly life: SimulatedLife;
  readonly engine: Engine;
  readonly consumer: DeliveryConsumer;
  /** It has put right what the one before it left; until then it takes nothing on. */
  ready: boolean;
  /** It could not start. */
  failed: boolean;
}

/** A machine with a disk and agents of its own, on which one process of Flotilla comes after the other. */
export interface Machine {
  /** Its node's name. */
  readonly name: string;
  readonly worktrees: FakeWorktrees;
  readonly runtime: FakeAgentRuntime;
  readonly runner: FakeRunner;
  readonly clock: Clock;
  /** The number of processes that have begun here. */
  starts: number;
  /** Undefined while it is down. */
  process: Process | undefined;
  /** Until when its process is stopped, as by SIGSTOP; null while it goes on. */
  heldUntil: number | null;
  /** The process goes on, with all that was due meanwhile. */
  goOn(): void;
}

export function createMachine(
  name: string,
  parts: { worktrees: FakeWorktrees; model: FakeModel; clock: FakeClock; turns: Turns },
): Machine {
  const { worktrees, model, clock: time, turns } = parts;
  const late = new Set<{ readonly fn: () => void }>();
  const clock: Clock = {
    now: () => time.now(),
    after: (ms, fn) => {
      const due = { fn };
      const cancel = time.after(ms, () => {
        turns.noticed();
        if (machine.heldUntil === null) fn();
        else late.add(due);
      });
      return () => {
        late.delete(due);
        cancel();
      };
    },
  };
  const machine: Machine = {
    name,
    worktrees,
    runtime: createFakeRuntime({ model, clock }),
    runner: createFakeRunner(),
    clock,
    starts: 0,
    process: undefined,
    heldUntil: null,
    goOn: () => {
      machine.heldUntil = null;
      for (const due of late) {
        late.delete(due);
        due.fn();
      }
    },
  };
  return machine;
}

import { describe, expect, it } from "vitest";
import type { OperationCode } from "../../../src/domain/commands/operation-fault.ts";
import type { Operation } from "../../../src/domain/commands/operations.ts";
import { agentOf, sessionsOf } from "../../engine/look.ts";
import type { Rig } from "../../engine/rig.ts";
import { ALLOWED_IN } from "./operations.ts";
import { AT, KEY, notBegun, REVIVED, STORED_003, type Stored003 } from "./places.ts";

const act = { agent: KEY, id: "a1", by: "operator:root", reason: null };
const message = { agent: KEY, id: "m1", text: "Use port 80." };

/** Each of its operations as an operator asks for it; answers with what shows that it was taken. */
const ASK: Readonly<Record<Operation, (rig: Rig) => Promise<unknown>>> = {
  send: async (rig) => {
    await rig.engine.operations.send(message);
    const wakes = await rig.store.wakes.pending((await agentOf(rig)).id);
    return wakes.some(({ detail }) => detail.includes(message.text));
  },
  interrupt: (rig) => rig.engine.operations.interrupt(message),
  kill: async (rig) => (await rig.engine.operations.kill(act)).state,
  revive: async (rig) => (await rig.engine.operations.revive(act)).name,
};

/** What is answered where it is taken; an interrupt of one that is not talking is taken and has nothing to end. */
const taken: Readonly<Record<Operation, (state: Stored003) => unknown>> = {
  send: () => true,
  interrupt: (state) => ({ interrupted: state === "running" }),
  kill: () => "CANCELLED",
  revive: () => "feat-dev-issue-1.2",
};

/** The code of a refusal: what is gone is dead, what does not listen now is not interactive. */
function codeOf(operation: Operation, state: Stored003): OperationCode {
  if (operation === "revive") return "invalid_state";
  if (operation === "kill" || state === "stopped" || state === "failed") return "dead_agent";
  return state === "idle" ? "invalid_state" : "not_interactive";
}

/** Pause and resume are operations of ours; null where they are taken. */
const HOLDS: Readonly<Record<Stored003, { pause: OperationCode | null; resume: OperationCode | null }>> = {
  starting: { pause: null, resume: "invalid_state" },
  running: { pause: null, resume: "invalid_state" },
  idle: { pause: null, resume: "invalid_state" },
  waiting_approval: { pause: null, resume: "turn_limit_exceeded" },
  paused: { pause: null, resume: null },
  stopping: { pause: null, resume: "invalid_state" },
  stopped: { pause: "dead_agent", resume: "dead_agent" },
  failed: { pause: "dead_agent", resume: "dead_agent" },
};

const pairs = STORED_003.flatMap((state) =>
  (["send", "interrupt", "kill", "revive"] as const).map((operation) => ({ operation, state })),
);
const isAllowed = ({ operation, state }: (typeof pairs)[number]) => ALLOWED_IN[operation].includes(state);

/** All that an operation could change. */
async function recorded(rig: Rig): Promise<unknown> {
  const { records, wakes, effects, transitions } = rig.store;
  const agents = await records.find("agent", {});
  const { id } = await agentOf(rig);
  return [agents, await wakes.pending(id), await effects.find({}), await transitions.ofAgent(id)];
}

/** It is refused with the code, and nothing has changed. */
async function refuses(rig: Rig, asking: () => Promise<unknown>, fault: object): Promise<void> {
  const before = await recorded(rig);
  await expect(asking()).rejects.toMatchObject(fault);
  expect(await recorded(rig)).toEqual(before);
}

/** Every operation in every state of a conversation, asked of the running engine. */
export function showEngine(): void {
  describe("the operations in the engine", () => {
    it.each(pairs.filter(isAllowed))("$operation is taken in $state", async ({ operation, state }) => {
      const rig = await AT[state]();
      expect(await ASK[operation](rig)).toEqual(taken[operation](state));
    });

    it.each(STORED_003)(
      "what is not for %s is refused and changes nothing; it can be waited for",
      async (state) => {
        const rig = await AT[state]();
        for (const { operation } of pairs.filter((pair) => pair.state === state && !isAllowed(pair))) {
          const fault = { agent: "feat-dev-issue-1", state, operation };
          const code = codeOf(operation, state);
          await refuses(rig, () => ASK[operation](rig), { code, retryable: false, fault });
        }
        for (const verb of ["pause", "resume"] as const) {
          const code = HOLDS[state][verb];
          if (code !== null)
            await refuses(rig, () => rig.engine.operations[verb](act), { code, retryable: false });
        }
        const { signal } = new AbortController();
        const waiting = rig.engine.operations.wait({ agent: KEY, states: [state], withinMs: 0, signal });
        expect(await waiting).toMatchObject({ reached: true, session: state });
        expect((await sessionsOf(rig)).at(-1)?.state).toBe(state);
        const agent = await agentOf(rig);
        await rig.store.records.save("agent", agent, { ...agent, mode: "one_shot" });
        await refuses(rig, () => ASK.send(rig), { code: "capability_mismatch" });
      },
    );

    it.each(STORED_003.filter((state) => HOLDS[state].pause === null))(
      "pause holds one in %s",
      async (state) => {
        const rig = await AT[state]();
        await rig.engine.operations.pause(act);
        expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["person"] });
      },
    );

    it("one that has not begun is in no state: a message waits for its start, a kill cancels it", async () => {
      const rig = await notBegun();
      expect(await sessionsOf(rig)).toEqual([]);
      for (const [operation, fault] of [
        ["interrupt", { code: "invalid_state", fault: { state: "CREATED" } }],
        ["revive", { code: "invalid_state", fault: { state: "CREATED" } }],
      ] as const)
        await refuses(rig, () => ASK[operation](rig), fault);
      expect(await ASK.send(rig)).toBe(true);
      const { signal } = new AbortController();
      const waiting = rig.engine.operations.wait({ agent: KEY, states: ["CREATED"], withinMs: 0, signal });
      expect(await waiting).toMatchObject({ session: "unspecified" });
      expect(await ASK.kill(rig)).toBe("CANCELLED");
    });

    it.each(["stopped", "failed"] as const)(
      "one that lives begins a conversation that is %s by itself: it keeps a message, and can be killed",
      async (state) => {
        const rig = await (state === "stopped" ? AT.stopping() : AT.running());
        if (state === "failed") rig.runtime.kill((await agentOf(rig)).sessionId ?? "");
        else rig.runtime.open = () => Promise.withResolvers<never>().promise;
        await rig.until("it is over", async () => (await sessionsOf(rig)).at(-1)?.state === state);
        expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING" });
        await refuses(rig, () => ASK.revive(rig), { code: "invalid_state" });
        expect(await ASK.send(rig)).toBe(true);
        expect(await ASK.kill(rig)).toBe("CANCELLED");
      },
    );

    it.each(REVIVED)(
      "one that is $agent, whose conversation is $session: the agent decides about a revive ($revived)",
      async ({ agent, session, revived, rig: make }) => {
        const rig = await make();
        expect(await agentOf(rig)).toMatchObject({ state: agent });
        expect((await sessionsOf(rig)).at(-1)?.state).toBe(session);
        if (!revived) {
          const fault = { state: agent, operation: "revive" };
          await refuses(rig, () => ASK.revive(rig), { code: "invalid_state", fault });
          return;
        }
        expect(await ASK.revive(rig)).toBe("feat-dev-issue-1.2");
        expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED" });
      },
    );

    it("resume lifts the hold of one in paused", async () => {
      const rig = await AT.paused();
      await rig.engine.operations.resume(act);
      expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: [], sleepReason: "blocked" });
    });
  });
}

import { expect, it } from "vitest";
import type { ToolGate } from "../../../src/domain/ports/agent-runtime.ts";
import type { EngineContext } from "../../../src/engine/kernel/engine-context.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { behind } from "../gates.ts";
import { agentOf, commentsOn, stateOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, call, edit, on, together, work } from "../scripts.ts";
import type { Given } from "../with-own-settings.ts";

const { runtime } = someSettings();
const settings = { runtime: { ...runtime, permissionMode: "ask" as const } };
const curl = (path: string) => call("bash", { command: `curl https://example.com/${path}` });
const again = after("You are awake again", curl("a"));

type Store = EngineContext["store"];

/** A call is being decided on; `run` lets that go on, and resolves once it is done. */
interface Held {
  readonly run: () => Promise<unknown>;
}

/**
 * Holds the decision on the call of `b`, which is digested right before, from its first transaction on. The other call is
 * decided on before, and its refusal ends the exchange while `b` is held.
 */
function holding(given: Given) {
  let digests = 0;
  let isNext = false;
  let late: Held | undefined;
  const { promise: held, resolve: hold } = Promise.withResolvers<Held>();
  const { promise: gone, resolve: go } = Promise.withResolvers<undefined>();
  const store: Store = {
    ...given.store,
    transaction(decide) {
      if (!isNext) return given.store.transaction(decide);
      isNext = false;
      const done = gone.then(() => given.store.transaction(decide));
      const run = () => {
        go(undefined);
        return done;
      };
      late = { run };
      hold(late);
      return done;
    },
  };
  const digest: typeof given.digest = (content) => {
    const text = String(content);
    // The first is for the record of the call's start.
    if (text.includes("example.com/b")) digests += 1;
    isNext = text.includes("example.com/b") && digests === 2;
    return given.digest(content);
  };
  const inOrder = (gate: ToolGate): ToolGate => {
    const { promise: first, resolve: decided } = Promise.withResolvers<undefined>();
    return async (asks) => {
      if (JSON.stringify(asks.args).includes("example.com/b")) {
        await first;
        return gate(asks);
      }
      const answer = await gate(asks);
      decided(undefined);
      if (!answer.allow) await held;
      return answer;
    };
  };
  return { held, late: () => late, parts: { ...behind(inOrder)(given), store, digest } };
}

async function asked(rig: Rig): Promise<readonly string[]> {
  const { id, token } = await agentOf(rig);
  return (await rig.store.approvals.asked(id, token)).map(({ input }) => input);
}

it("asks about no call on which it decides once the agent sleeps: the answer to the others wakes it", async () => {
  let held: Promise<Held> | undefined;
  const rig = await aRig({
    settings,
    script: [on(1, together(curl("a"), curl("b")), again, edit(), ...work.slice(1))],
    wrapped: (given) => {
      const holds = holding(given);
      held = holds.held;
      return holds.parts;
    },
  });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it sleeps", async () => (await stateOf(rig)) === "SLEEPING");
  await (await held)?.run();
  await rig.idle();
  expect(await asked(rig)).toEqual([expect.stringContaining("example.com/a")]);
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("names a call in its comment about which it asks while the agent falls asleep", async () => {
  const rig = await aRig({
    settings,
    script: [on(1, together(curl("a"), curl("b")), again, edit(), ...work.slice(1))],
    wrapped: (given) => {
      const { late, parts } = holding(given);
      const approvals: Store["approvals"] = {
        ...given.store.approvals,
        async asked(agentId, token) {
          const rows = await given.store.approvals.asked(agentId, token);
          if (rows.length === 1) await late()?.run();
          return rows;
        },
      };
      return { ...parts, store: { ...parts.store, approvals } };
    },
  });
  await tell(rig, labeled(rig, 1));
  expect(await asked(rig)).toHaveLength(2);
  expect(commentsOn(rig)).toEqual([expect.stringMatching(/example\.com\/a[^]*example\.com\/b/)]);
});

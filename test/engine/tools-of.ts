import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import type { ToolAnswer } from "../../src/domain/ports/agent-runtime.ts";
import { TimeWaited } from "../../src/engine/breakers/time-waited.ts";
import { advanceAgent, agentMove } from "../../src/engine/kernel/advance-agent.ts";
import { WriteQueue } from "../../src/engine/outbox/write-queue.ts";
import { PendingWakes } from "../../src/engine/sessions/pending-wakes.ts";
import { TOOL_NAMES, toolsFor } from "../../src/engine/tools/catalog.ts";
import { byHand } from "../reach/record.ts";
import { agentOf } from "./look.ts";
import { methodOf } from "./method-of.ts";
import { labeled } from "./people.ts";
import { aRig, type Rig } from "./rig.ts";
import { edit, on, type Step, slowly } from "./scripts.ts";

type Call = (tool: string, args: object) => Promise<ToolAnswer>;

/** Calls tools in the name of the period that is under way; nothing waits for their outputs. */
export async function toolsOf(rig: Rig): Promise<{ readonly call: Call; readonly agent: AgentRecord }> {
  const agent = await agentOf(rig);
  const role = rig.context.roleOf(agent);
  if (role === undefined) throw new Error("there is no role");
  const writes = new WriteQueue(rig.context.log, agent.name);
  let outputs = 0;
  const tools = toolsFor(TOOL_NAMES, {
    context: rig.context,
    agent,
    role,
    inbox: new PendingWakes(rig.context, { agent, writes }),
    waited: new TimeWaited(rig.context.clock, () => Promise.resolve()),
    nextOutput: () => {
      outputs += 1;
      return outputs;
    },
    settled: () => Promise.resolve(),
    keepEvaluation: null,
  });
  const call: Call = async (name, args) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool.call(args, { toolCallId: "c-1", signal: new AbortController().signal });
  };
  return { call, agent };
}

/** A coder in the middle of its work, whose pull request is not open yet. */
export async function early(): Promise<Rig> {
  const silent: Step = slowly(3_600_000, edit());
  const rig = await aRig({ script: [on(1, edit(), silent)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 2);
  return rig;
}

/** A person cancels the agent; nothing of that is carried out before the next round. */
export async function cancelled(rig: Rig, agent: AgentRecord): Promise<void> {
  const cancel = { type: "CANCEL", at: rig.clock.now(), actor: "alice", why: "enough", quiet: true } as const;
  await byHand(() => advanceAgent(rig.context, agent, { moves: [agentMove(agent, cancel)] }));
}

/** Lets no effect begin meanwhile: of what is queued, none is carried out. */
export async function withoutEffects(rig: Rig, act: () => Promise<unknown>): Promise<void> {
  const lease = methodOf(rig.store.effects, "lease");
  rig.store.effects.lease = async () => [];
  await act();
  rig.store.effects.lease = lease;
}

/** A comment that was queued, and whose agent was cancelled before it was written. */
export async function tooLate(): Promise<Rig> {
  const rig = await early();
  const { call, agent } = await toolsOf(rig);
  await withoutEffects(rig, async () => {
    await call("comment", { body: "Late." });
    await cancelled(rig, agent);
  });
  await rig.engine.tick();
  await rig.until(
    "it is skipped",
    async () => (await rig.store.effects.find({ state: "skipped" })).length > 0,
  );
  return rig;
}

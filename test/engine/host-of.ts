import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import type { ToolHost } from "../../src/domain/ports/tool-host.ts";
import { TimeWaited } from "../../src/engine/breakers/time-waited.ts";
import { advanceAgent, agentMove } from "../../src/engine/kernel/advance-agent.ts";
import { WriteQueue } from "../../src/engine/outbox/write-queue.ts";
import { Inbox } from "../../src/engine/sessions/pending-wakes.ts";
import { ToolHosts } from "../../src/engine/sessions/tool-host.ts";
import { agentOf } from "./look.ts";
import { labeled } from "./people.ts";
import { aRig, type Rig } from "./rig.ts";
import { edit, on, type Step, slowly } from "./scripts.ts";

/** The host side of the tools of the period that is under way, which waits for nothing. */
export async function hostOf(rig: Rig): Promise<{ readonly host: ToolHost; readonly agent: AgentRecord }> {
  const agent = await agentOf(rig);
  const role = rig.context.roleOf(agent);
  if (role === undefined) throw new Error("there is no role");
  const writes = new WriteQueue(rig.context.log, agent.name);
  const inbox = new Inbox(rig.context, { agent, writes });
  const waited = new TimeWaited(rig.context.clock, () => Promise.resolve());
  return {
    host: new ToolHosts(rig.context, () => Promise.resolve()).of(agent, role, { inbox, waited }),
    agent,
  };
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
  await advanceAgent(rig.context, agent, { moves: [agentMove(agent, cancel)] });
}

/** A comment that was queued, and whose agent was cancelled before it was written. */
export async function tooLate(): Promise<Rig> {
  const rig = await early();
  const { host, agent } = await hostOf(rig);
  await host.output({ kind: "comment", body: "Late." }, "c-1");
  await cancelled(rig, agent);
  await rig.engine.tick();
  await rig.until(
    "it is skipped",
    async () => (await rig.store.effects.find({ state: "skipped" })).length > 0,
  );
  return rig;
}

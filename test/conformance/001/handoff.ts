import { describe, expect, it } from "vitest";
import { contextFull } from "../../../src/domain/conversation/handoff.ts";
import { agentOf, historyOf, sessionsOf, toldTo } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { after, call, edit, on, slowly, work } from "../../engine/scripts.ts";
import { MINUTE } from "../../factories/moment.ts";

/** Share of the context at which it hands over, in percent. */
const FULL = 90;
/** Its delay after a graceful exit. */
const PAUSE_MS = 2_000;

const notes = call("write_handoff", { summary: "half is built", next_action: "build the rest" });
const script = [
  on(
    1,
    slowly(MINUTE, edit()),
    after("nearly as long as it can be", notes),
    after("You left this", edit("rest.ts")),
    ...work.slice(1),
  ),
];

/** An agent in its first turn, in the middle of an exchange. */
async function atWork(): Promise<Rig> {
  const rig = await aRig({ script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  return rig;
}

/** What its exit by an exhausted context becomes here: no process is restarted for it, a conversation is. */
export function handoff(): void {
  describe("the handoff", () => {
    it("is due at ninety percent of the context, and not before", () => {
      const due = Array.from({ length: 101 }, (_, percent) => contextFull(percent * 10, 1000));
      expect(due.indexOf(true)).toBe(FULL);
      expect(due.lastIndexOf(false)).toBe(FULL - 1);
    });

    it("is written by the agent, kept, and read by the fresh conversation that continues two seconds later", async () => {
      const rig = await atWork();
      const before = await agentOf(rig);
      rig.runtime.fill(before.sessionId ?? "", FULL / 100);
      rig.clock.advance(MINUTE);
      await rig.idle();
      await rig.pass(PAUSE_MS - 1);
      expect(rig.runtime.opened).toHaveLength(1);
      await rig.pass(1);
      const agent = await agentOf(rig);
      expect(await rig.store.handoffs.ofAgent(agent.id)).toMatchObject([
        { summary: "half is built", nextAction: "build the rest", sessionId: before.sessionId },
      ]);
      expect(agent.sessionId).not.toBe(before.sessionId);
      expect((await sessionsOf(rig)).map(({ sessionId }) => sessionId)).toEqual([
        before.sessionId,
        agent.sessionId,
      ]);
      expect(toldTo(rig)[0]).toContain("Next action: build the rest");
      expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
      expect(agent).toMatchObject({ restarts: 0, wakes: 0, token: before.token });
    });

    it("is none after a pause: the same conversation continues, and is told of no handoff", async () => {
      const rig = await atWork();
      const { id, sessionId } = await agentOf(rig);
      await tell(rig, said(rig, 1, "/flotilla pause"));
      await rig.engine.handle(said(rig, 1, "/flotilla resume"));
      await rig.until("it continues", async () => (await agentOf(rig)).state === "ACTIVE");
      await rig.until("it is told", () => rig.runtime.requests.length === 2);
      expect((await agentOf(rig)).sessionId).toBe(sessionId);
      expect(await rig.store.handoffs.ofAgent(id)).toEqual([]);
      expect(toldTo(rig).join()).not.toContain("Next action");
    });
  });
}

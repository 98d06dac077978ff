import { describe, expect, it } from "vitest";
import { agentMachine } from "../../../src/domain/agents/agent.ts";
import type { ResolvedAgentEvent } from "../../../src/domain/agents/agent-event.ts";
import { leaseLost } from "../../../src/domain/agents/lease-lost.ts";
import { crashDelay } from "../../../src/domain/kernel/backoff.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { agentEvent } from "../../domain/machines/agent-events.ts";
import { took } from "../../domain/machines/agent-take.ts";
import { agentOf, stateOf, taskOf } from "../../engine/look.ts";
import { labeled, tell } from "../../engine/people.ts";
import { coding, ran, reviewing, reviewRig, verdict } from "../../engine/reviewer-rig.ts";
import { aRig } from "../../engine/rig.ts";
import { edit, on, slowly, work } from "../../engine/scripts.ts";
import { AT, MINUTE } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";

/** Its delays before a supervisor starts the process again, in milliseconds. */
const DELAYS = { crash: 5_000, graceful: 2_000 };

const LOST: ResolvedAgentEvent = { ...leaseLost(AT), around: surroundings() };

/** Its exit codes with what leads to each: our move of the agent, and how the conversation ends by it. */
const EXITS: readonly {
  readonly exit: 0 | 42 | "other";
  readonly trigger: string;
  readonly event: ResolvedAgentEvent;
  readonly session: string;
  readonly reason: string;
  readonly to: string;
}[] = [
  {
    exit: 0,
    trigger: "the role is complete",
    event: agentEvent("COMPLETE"),
    session: "STOP",
    reason: "completed",
    to: "COMPLETED",
  },
  {
    exit: 42,
    trigger: "an exhausted context",
    event: agentEvent("HANDOFF"),
    session: "STOP",
    reason: "handoff",
    to: "ACTIVE",
  },
  {
    exit: 42,
    trigger: "a pause",
    event: agentEvent("PAUSE", { holder: "person" }),
    session: "PAUSE",
    reason: "paused",
    to: "SLEEPING",
  },
  {
    exit: 42,
    trigger: "a checkpoint",
    event: agentEvent("PAUSE", { holder: "sprint" }),
    session: "PAUSE",
    reason: "paused",
    to: "SLEEPING",
  },
  {
    exit: 42,
    trigger: "a broken invariant",
    event: agentEvent("PAUSE", { holder: "invariant" }),
    session: "PAUSE",
    reason: "paused",
    to: "SLEEPING",
  },
  {
    exit: 42,
    trigger: "an end by a person",
    event: agentEvent("CANCEL"),
    session: "STOP",
    reason: "cancelled",
    to: "CANCELLED",
  },
  {
    exit: 42,
    trigger: "the host stops",
    event: agentEvent("WAIT", { reason: "restart" }),
    session: "STOP",
    reason: "restart",
    to: "SLEEPING",
  },
  {
    exit: 42,
    trigger: "a lease that expired at work",
    event: LOST,
    session: "FAIL",
    reason: "lease_lost",
    to: "SLEEPING",
  },
  {
    exit: "other",
    trigger: "a crash",
    event: agentEvent("WAIT", { reason: "retry", crash: true }),
    session: "FAIL",
    reason: "crashed",
    to: "SLEEPING",
  },
];

/** How an agent's process ends, and when the next one begins. */
export function exits(): void {
  describe("the exit codes", () => {
    it.each(EXITS)(
      "$exit after $trigger: the conversation is told $reason",
      ({ event: given, session, reason, to }) => {
        const { snapshot, emits } = took(anAgent(), given);
        expect(snapshot.state).toBe(to);
        const event = expect.objectContaining({ type: session, reason: expect.stringMatching(`^${reason}`) });
        expect(emits).toContainEqual(expect.objectContaining({ machine: "session", event }));
      },
    );

    it("0: nothing starts an agent again whose work is over, a restart of the host neither", async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      await tell(rig, labeled(rig, 1));
      const { id } = await agentOf(rig);
      await rig.restart();
      await rig.pass(10 * MINUTE);
      expect(await stateOf(rig)).toBe("COMPLETED");
      expect(await rig.store.wakes.pending(id)).toEqual([]);
      expect(rig.runtime.running.size).toBe(0);
    });

    it("0 of coder and reviewer: each is at work as long as its role has a task, and no longer", async () => {
      const rig = await reviewRig([
        coding(1, 1),
        { ...reviewing(1, ran(), verdict("approve")), match: "Earlier verdicts on this work" },
        reviewing(1, ran(), verdict("reject")),
      ]);
      const moves = (await rig.store.transitions.ofIssue(7, 1, 1000)).toSorted(
        (one, other) => one.id - other.id,
      );
      const taskAt = (id: number) => moves.findLast((move) => move.machine === "task" && move.id < id)?.to;
      const begins = moves.filter(
        ({ machine, from, to }) => machine === "agent" && from !== to && to === "ACTIVE",
      );
      expect(begins.map(({ id }) => taskAt(id))).toEqual([
        "UNCLAIMED",
        "READY_FOR_REVIEW",
        "REJECTED",
        "READY_FOR_REVIEW",
      ]);
      expect((await taskOf(rig))?.state).toBe("APPROVED");
      await rig.pass(10 * MINUTE);
      expect(await rig.store.records.find("agent", { state: ["CREATED", "ACTIVE"] })).toEqual([]);
      expect(rig.runtime.running.size).toBe(0);
    });

    it("42: the one that a pause or a restart ended continues when that is over", () => {
      const paused = took(anAgent(), agentEvent("PAUSE", { holder: "person" })).snapshot;
      const free = took(paused, agentEvent("RESUME", { holders: ["person"] })).snapshot;
      expect(took(free, agentEvent("WAKE", { reason: "resumed" })).snapshot.state).toBe("ACTIVE");
      const stopped = took(anAgent(), agentEvent("WAIT", { reason: "restart" })).snapshot;
      expect(took(stopped, agentEvent("WAKE", { reason: "restart" })).snapshot.state).toBe("ACTIVE");
    });
  });

  describe("the exit after a broken invariant", () => {
    it("is followed by no restart: a person looks at the broken rows first", () => {
      const held = took(anAgent(), agentEvent("PAUSE", { holder: "invariant" })).snapshot;
      const again = step(agentMachine, held, agentEvent("WAKE", { reason: "restart" }));
      expect(again).toMatchObject({ ok: false, code: "guard_refused" });
      const free = took(held, agentEvent("RESUME", { holders: ["invariant"] })).snapshot;
      expect(took(free, agentEvent("WAKE", { reason: "resumed" })).snapshot.state).toBe("ACTIVE");
    });
  });

  describe("the delays of a restart", () => {
    it("after a crash begin with its five seconds, and double up to five minutes", () => {
      const delays = Array.from({ length: 8 }, (_, restarts) => crashDelay(restarts) / DELAYS.crash);
      expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    });

    it("after a crash pass in the engine, and the agent continues", async () => {
      const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work.slice(1))] });
      await rig.engine.handle(labeled(rig, 1));
      await rig.until("it talks", () => rig.runtime.requests.length === 1);
      for (const id of rig.runtime.running) rig.runtime.kill(id);
      await rig.idle();
      expect((await agentOf(rig)).dueAt).toBe(rig.clock.now() + DELAYS.crash);
      await rig.pass(DELAYS.crash - 1);
      expect(await stateOf(rig)).toBe("SLEEPING");
      rig.clock.advance(1);
      await rig.engine.tick();
      await rig.until("it talks again", () => rig.runtime.requests.length === 2);
      expect(await stateOf(rig)).toBe("ACTIVE");
    });
  });

  describe("the pause after a graceful end", () => {
    it("is its two seconds when the host stops, and counts nothing", async () => {
      const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work.slice(1))] });
      await rig.engine.handle(labeled(rig, 1));
      await rig.until("it talks", () => rig.runtime.requests.length === 1);
      await rig.engine.stop();
      const agent = await agentOf(rig);
      const [wake] = await rig.store.wakes.pending(agent.id);
      expect(agent).toMatchObject({ state: "SLEEPING", sleepReason: "restart", restarts: 0, wakes: 0 });
      expect(wake?.dueAt).toBe(rig.clock.now() + DELAYS.graceful);
    });

    it("is the same after a lost lease, which is no crash", () => {
      const { snapshot } = took(anAgent({ restarts: 1 }), LOST);
      expect(snapshot).toMatchObject({ dueAt: AT + DELAYS.graceful, restarts: 1, sleepReason: "retry" });
    });

    it("is the same before the conversation that a handoff begins", () => {
      const { effects } = took(anAgent(), agentEvent("HANDOFF"));
      expect(effects).toEqual([{ kind: "open_session", notBefore: AT + DELAYS.graceful }]);
    });
  });

  describe("the wait for drafts", () => {
    it("costs no process: a coder that is made for a draft stays CREATED, and its start is kept", () => {
      const event = agentEvent("START", { around: surroundings({ task: "DRAFT", run: "idle" }) });
      const result = step(agentMachine, anAgent({ state: "CREATED" }), event);
      expect(result).toMatchObject({ ok: false, code: "guard_refused", rule: "task", keeps: true });
    });

    it("ends with the draft, without its poll of thirty seconds", () => {
      const event = agentEvent("START", { around: surroundings({ task: "UNCLAIMED", run: "idle" }) });
      expect(took(anAgent({ state: "CREATED" }), event).snapshot.state).toBe("ACTIVE");
    });
  });
}

import { describe, expect, it } from "vitest";
import type { RunEvent, RunEventType } from "../../../src/domain/kernel/run-event.ts";
import { limitsOf } from "../../engine/limits-of.ts";
import { agentOf, runOf } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { edit, escalate, on, say, work } from "../../engine/scripts.ts";
import { HOUR } from "../../factories/moment.ts";

async function eventsOf(rig: Rig) {
  return rig.store.runEvents.after(0, { limit: 1000, agentId: (await agentOf(rig)).id });
}

type DataOf = { readonly [E in RunEvent as E["type"]]: E["data"] };

/** What the events of one kind tell, in order. */
function ofType<T extends RunEventType>(
  rows: readonly { readonly event: RunEvent }[],
  type: T,
): readonly DataOf[T][] {
  const has = (event: RunEvent): event is RunEvent & { readonly data: DataOf[T] } => event.type === type;
  return rows.flatMap(({ event }) => (has(event) ? [event.data] : []));
}

async function played(...steps: Parameters<typeof on>[1][]): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...steps)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** What is told to those who watch, in the order of the document's list. */
export function publishedEvents(): void {
  describe("the published events", () => {
    it("of a work without trouble come in the order of the work", async () => {
      const rows = await eventsOf(await played(say("Let me look."), ...work));
      const told = [...new Set(rows.map(({ event }) => event.type))].filter(
        (type) => type !== "state:update",
      );
      expect(told.toSorted()).toEqual(
        [
          "agent:starting",
          "agent:step",
          "stream:token",
          "tool:start",
          "tool:running",
          "tool:result",
          "agent:completed",
          "agent:cleanup",
        ].toSorted(),
      );
      expect(told[0]).toBe("agent:starting");
      expect(told.at(-1)).toBe("agent:cleanup");
      const ids = rows.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    });

    it("agent:step comes with each turn, and agent:completed with the result at the last", async () => {
      const rows = await eventsOf(await played(...work));
      expect(ofType(rows, "agent:step")).toHaveLength(work.length);
      expect(ofType(rows, "agent:completed")).toEqual([{ result: "Built and tested." }]);
      expect(rows.find(({ event }) => event.type === "agent:completed")?.turn).toBe(work.length);
    });

    it("tool:start and tool:result come in pairs, with input, output and how long it took", async () => {
      const rows = await eventsOf(await played(...work));
      const started = ofType(rows, "tool:start");
      const ended = ofType(rows, "tool:result");
      expect(started.map(({ tool }) => tool)).toEqual(["edit", "commit", "open_pr", "report_complete"]);
      expect(ended.map(({ call }) => call)).toEqual(started.map(({ call }) => call));
      expect(started[1]?.input).toContain("Build it");
      for (const { output, duration_ms } of ended) {
        expect(output).not.toBe("");
        expect(duration_ms).toBeGreaterThanOrEqual(0);
      }
    });

    it("agent:paused says why it stopped", async () => {
      const rows = await eventsOf(await played(escalate));
      expect(ofType(rows, "agent:paused")).toMatchObject([{ state: "ESCALATED" }]);
      expect(ofType(rows, "agent:paused")[0]?.reason).toContain("contradict");
    });

    it.each([
      [503, true],
      [400, false],
    ])("agent:error after status %i says whether it is recoverable: %s", async (status, recoverable) => {
      const rows = await eventsOf(await played({ error: { status, message: "it broke" } }));
      const [error] = ofType(rows, "agent:error");
      const code = recoverable ? "model_unavailable" : "model_refused";
      const details = { move: "ERROR", phase: "planning" };
      expect(error).toMatchObject({ recoverable, code, details, error: expect.stringContaining("it broke") });
    });

    it("state:update tells each move of each machine once, as its transition has it", async () => {
      const rig = await played(...work);
      const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
      const counted = moves.filter(({ event, from, to }) => event !== "STEP" || from !== to);
      const told = ofType(await eventsOf(rig), "state:update").map(({ machine, from, to }) => [
        machine,
        from,
        to,
      ]);
      expect(told).toEqual(counted.map(({ machine, from, to }) => [machine, from, to]));
    });

    it("approval:requested at the turn limit names the limit, the turn and the three choices", async () => {
      const rig = await aRig({
        settings: limitsOf({ maxTurns: 2 }),
        script: [on(1, edit("a.ts"), edit("b.ts"), edit("c.ts"))],
      });
      await tell(rig, labeled(rig, 1));
      const rows = await eventsOf(rig);
      expect(ofType(rows, "approval:requested")).toEqual([
        {
          kind: "turn_limit",
          subject: "max_turns",
          choices: ["continue", "complete", "cancel"],
          current_turn: 2,
          max_turns: 2,
          progress: 1,
        },
      ]);
      expect(rows.find(({ event }) => event.type === "approval:requested")).toMatchObject({
        issue: 1,
        turn: 2,
      });
    });

    it("stream:token carries what the model says", async () => {
      const rows = await eventsOf(await played(say("Let me look."), ...work));
      const text = ofType(rows, "stream:token").map((data) => data.text);
      expect(text.join("")).toContain("Let me look.");
    });
  });

  describe("the actions", () => {
    it("initializeExecution: conversation, worktree, tools and limit stand before the first word", async () => {
      const rig = await played(...work);
      const [spec] = rig.runtime.opened;
      const rows = await eventsOf(rig);
      const first = rows.findIndex(({ event }) => event.type === "agent:step");
      expect(spec?.workingDirectory).toContain("feat-dev-issue-1");
      expect(rows.slice(0, first).map(({ event }) => event.type)).toContain("agent:starting");
      expect(ofType(rows.slice(0, first), "state:update").map(({ to }) => to)).toContain("initializing");
    });

    it("cleanup: process, conversation and worktree are given back, and it is told", async () => {
      const rig = await played(...work);
      const what = ofType(await eventsOf(rig), "agent:cleanup").map((data) => data.what);
      expect([...what].toSorted()).toEqual(["conversation", "process", "worktree"]);
      expect(rig.runtime.running.size).toBe(0);
      expect((await agentOf(rig)).worktreePath).toBeNull();
    });

    it("incrementTurn: the count goes up by one a turn, and over restarts of the host", async () => {
      const rig = await aRig({
        settings: limitsOf({ maxTurns: 3 }),
        script: [on(1, edit("a.ts"), edit("b.ts"), edit("c.ts"), edit("d.ts"))],
      });
      await tell(rig, labeled(rig, 1));
      await rig.restart();
      await tell(rig, said(rig, 1, "/flotilla continue 1"));
      expect((await agentOf(rig)).turns).toBe(4);
    });

    it("captureError: the run keeps the error's text and code, and forgets both when it continues", async () => {
      const failed = { error: { status: 503, message: "overloaded" }, when: "^Work on" };
      const rig = await played(failed, ...work);
      const [error] = ofType(await eventsOf(rig), "agent:error");
      expect(error).toMatchObject({
        code: "model_unavailable",
        error: expect.stringContaining("overloaded"),
      });
      expect(await runOf(rig)).toMatchObject({ state: "error", error: error?.error, errorCode: error?.code });
      await rig.work(HOUR);
      expect(await runOf(rig)).toMatchObject({ error: null, errorCode: null });
    });
  });
}

import { describe, expect, it } from "vitest";
import { agentOf, runOf, taskOf } from "../../engine/look.ts";
import { methodOf } from "../../engine/method-of.ts";
import { closed, labeled, reopened, said, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { edit, on, slowly, work } from "../../engine/scripts.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { runWalker } from "../run-walker.ts";
import { STATES, THEIR_STATES, type Theirs } from "./states.ts";

/** The agent that is looked at, and the engine in which it is in one of the states. */
type Place = () => Promise<{ readonly rig: Rig; readonly issue: number; readonly leave?: () => void }>;

const slow = [slowly(MINUTE, edit()), ...work.slice(1)];

async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...slow)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  return rig;
}

/** How the engine comes to each state. */
const PLACES: Readonly<Record<Theirs, Place>> = {
  idle: async () => {
    const { runtime } = someSettings();
    const settings = { runtime: { ...runtime, maxConcurrentAgents: 1 } };
    const rig = await aRig({ settings, script: [on(1, ...slow), on(2, ...work)] });
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("the slot is taken", () => rig.runtime.requests.length === 1);
    await rig.engine.handle(labeled(rig, 2));
    return { rig, issue: 2 };
  },
  starting: async () => {
    const rig = await aRig({ script: [on(1, ...work)] });
    const prepare = methodOf(rig.worktrees, "prepare");
    const { promise: ready, resolve: leave } = Promise.withResolvers<void>();
    let reached = false;
    rig.worktrees.prepare = async (...args) => {
      reached = true;
      await ready;
      return prepare(...args);
    };
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("its worktree is being made", () => reached);
    return { rig, issue: 1, leave };
  },
  running: async () => ({ rig: await atWork(), issue: 1 }),
  paused: async () => {
    const rig = await atWork();
    await tell(rig, said(rig, 1, "/flotilla pause"));
    return { rig, issue: 1 };
  },
  error: async () => {
    const limited = { error: { status: 429, message: "slow down" }, when: "^Work on" };
    const rig = await aRig({ script: [on(1, limited, ...work)] });
    await tell(rig, labeled(rig, 1));
    return { rig, issue: 1 };
  },
  completed: async () => {
    const rig = await aRig({ script: [on(1, ...work)] });
    await tell(rig, labeled(rig, 1));
    return { rig, issue: 1 };
  },
};

/** What the engine shows of a state: task, resources, whether a tool could run. */
async function shown(rig: Rig, issue: number) {
  const name = `feat-dev-issue-${issue}`;
  const agent = await agentOf(rig, name);
  const session = agent.sessionId;
  return {
    run: (await runOf(rig, name))?.state ?? "",
    task: (await taskOf(rig, issue))?.state,
    slot: agent.state === "ACTIVE",
    worktree: agent.worktreePath !== null || rig.worktrees.read(name, "README.md") !== null,
    process: session !== null && rig.runtime.running.has(session),
  };
}

/** What the document says of each state, looked up in the running engine. */
export function stateProperties(): void {
  describe("the properties of a state", () => {
    it.each(THEIR_STATES)("hold in the engine: %s", async (theirs) => {
      const facts = STATES[theirs];
      const { rig, issue, leave } = await PLACES[theirs]();
      const seen = await shown(rig, issue);
      expect(facts.ours).toContain(seen.run);
      expect(seen.task === "CLAIMED").toBe(facts.hasTask);
      expect(seen.slot || seen.worktree).toBe(facts.holdsResources);
      expect(seen.process).toBe(facts.runsTools);
      leave?.();
    });

    it.each(["paused", "error"] as const)(
      "%s gives up slot and process, and keeps its worktree",
      async (theirs) => {
        const { rig, issue } = await PLACES[theirs]();
        expect(await shown(rig, issue)).toMatchObject({ slot: false, process: false, worktree: true });
        expect(await rig.store.records.slotsInUse()).toBe(0);
      },
    );

    it("say where an execution may start: at rest; after its success the next attempt does", async () => {
      for (const theirs of THEIR_STATES.filter((one) => one !== "completed"))
        for (const ours of STATES[theirs].ours) {
          const way = runWalker.pathThrough(runWalker.reach(ours), ["initializing"], {
            by: ["START", "RESET"],
            bound: 2,
          });
          expect(way !== null).toBe(STATES[theirs].canStart);
        }
      const { rig, issue } = await PLACES.completed();
      await tell(rig, closed(rig, issue));
      await tell(rig, reopened(rig, issue));
      const [first, next] = await rig.store.records.find("run", { issue });
      const moves = await rig.store.transitions.ofIssue(7, issue, 1000);
      expect(first).toMatchObject({ state: "succeeded", attempt: 1 });
      expect(moves.find(({ machine, recordId }) => machine === "run" && recordId === next?.id)).toMatchObject(
        {
          from: "idle",
          event: "START",
          to: "initializing",
        },
      );
    });

    it("are left by an abort with the clean-up, and how it ended is kept", async () => {
      const { rig } = await PLACES.paused();
      await tell(rig, said(rig, 1, "/flotilla cancel"));
      expect(await runOf(rig)).toMatchObject({ state: "cancelled" });
      expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED", worktreePath: null });
      expect(rig.runtime.running.size).toBe(0);
      const told = await rig.store.runEvents.after(0, { limit: 1000, agentId: null });
      expect(told.at(-1)?.event.type).toBe("agent:cleanup");
    });

    it("say what a caller may send where it stands still", () => {
      const sent = { START: "START", RESUME: "RESUME", retry: "RETRY", abort: "CANCEL" } as const;
      for (const theirs of THEIR_STATES)
        for (const name of STATES[theirs].accepts) {
          const ways = STATES[theirs].ours.map((ours) =>
            runWalker.pathThrough(runWalker.reach(ours), runWalker.states, { by: [sent[name]], bound: 1 }),
          );
          expect(ways.some((way) => way !== null)).toBe(true);
        }
    });

    it("ask for a person in paused, and for a retry or a person's word in error", () => {
      for (const ours of STATES.paused.ours)
        expect(
          runWalker.pathThrough(runWalker.reach(ours), ["executing"], { by: ["STEP", "START"] }),
        ).toBeNull();
      const error = runWalker.reach("executing", "error");
      const out = runWalker.events.filter((event) =>
        runWalker.answers(error, event).some((answer) => "to" in answer),
      );
      expect(out.toSorted()).toEqual(
        ["CANCEL", "OBSERVED_DONE", "RETRY", "STEP_FAILED", "TIMEOUT"].toSorted(),
      );
    });
  });
}

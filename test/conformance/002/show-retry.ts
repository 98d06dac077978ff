import { describe, expect, it } from "vitest";
import { GitError } from "../../../src/domain/kernel/errors.ts";
import { asked, evaluated, submits } from "../../engine/evaluating.ts";
import { agentOf, runOf } from "../../engine/look.ts";
import { methodOf } from "../../engine/method-of.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { complete, edit, on, work } from "../../engine/scripts.ts";
import { HOUR } from "../../factories/moment.ts";
import { runWalker } from "../run-walker.ts";
import { refused } from "../walker.ts";

const overloaded = { error: { status: 503, message: "overloaded" } };

async function told(...steps: Parameters<typeof on>[1][]): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...steps)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** How the run comes to its error in each phase. */
const BROKEN_IN: Readonly<Record<string, () => Promise<Rig>>> = {
  initializing: async () => {
    const rig = await aRig({ script: [on(1, ...work)] });
    const prepare = methodOf(rig.worktrees, "prepare");
    rig.worktrees.prepare = () => {
      rig.worktrees.prepare = prepare;
      return Promise.reject(new GitError("network", "could not fetch: 503", { consequence: "retry" }));
    };
    await tell(rig, labeled(rig, 1));
    return rig;
  },
  planning: () => told(overloaded, ...work),
  executing: () => told(edit(), overloaded, ...work.slice(1)),
  evaluating: async () => {
    const rig = await evaluated([on(1, ...work), asked("", overloaded, submits(0.9))]);
    await tell(rig, labeled(rig, 1));
    return rig;
  },
  adapting: () => told(complete, overloaded, ...work),
};

/** "Can pause, resume, retry from any state": an error is possible where it works, and a retry leads back there. */
export function showRetry(): void {
  describe("a retry", () => {
    it.each(Object.entries(BROKEN_IN))("by a person's word continues in %s", async (phase, broken) => {
      const rig = await broken();
      expect(await runOf(rig)).toMatchObject({ state: "error", remembered: phase });
      expect((await agentOf(rig)).dueAt).toBeGreaterThan(rig.clock.now());
      await tell(rig, said(rig, 1, "/flotilla retry"));
      const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
      const retries = moves.filter(({ machine, event }) => machine === "run" && event === "RETRY");
      expect(retries).toMatchObject([{ from: "error", to: phase }]);
    });

    it.each(["initializing", "planning", "executing", "evaluating", "adapting"])(
      "leads back to %s, where the error was met",
      (phase) => {
        expect(runWalker.answers(runWalker.reach(phase, "error"), "RETRY")).toContainEqual({ to: phase });
      },
    );

    it.each(["idle", "executing", "waiting_input", "waiting_agent", "succeeded"])(
      "is refused in %s, where nothing went wrong",
      (state) => {
        expect(refused(runWalker, runWalker.reach(state), "RETRY")).not.toEqual([]);
      },
    );

    it("of what has failed is a new attempt", async () => {
      const rig = await told({ error: { status: 400, message: "no such model" } });
      expect(await runOf(rig)).toMatchObject({ state: "failed" });
      await tell(rig, said(rig, 1, "/flotilla retry"));
      rig.clock.advance(HOUR);
      const attempts = await rig.store.records.find("agent", { issue: 1 });
      expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    });
  });
}

import { describe, expect, it } from "vitest";
import { runOf, stateOf } from "../../engine/look.ts";
import { labeled, tell } from "../../engine/people.ts";
import { milestoned } from "../../engine/plans.ts";
import { aRig, REPOSITORY, type Rig } from "../../engine/rig.ts";
import { edit, on, slowly, work } from "../../engine/scripts.ts";
import { MINUTE } from "../../factories/moment.ts";

/** An agent at work in a sprint. */
async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, edit(), slowly(30 * MINUTE, edit()), ...work)] });
  milestoned(rig, 1, { number: 2, title: "First release", dueOn: null });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "executing");
  return rig;
}

const sprintOf = async (rig: Rig) =>
  (await rig.store.records.find("sprint", { repositoryId: REPOSITORY.id }))[0]?.state;

/** The files by which a person stops the work, in our data directory. */
export function operatorFiles(): void {
  describe("the files of a person", () => {
    it("PAUSE: the agent stops, and continues when the file is removed", async () => {
      const rig = await atWork();
      rig.operatorFiles.there.add("PAUSE");
      await rig.engine.tick();
      expect([await stateOf(rig), await sprintOf(rig)]).toEqual(["SLEEPING", "IN_PROGRESS"]);
      rig.operatorFiles.there.delete("PAUSE");
      await rig.engine.tick();
      await rig.until("it works", async () => (await stateOf(rig)) === "ACTIVE");
    });

    it("CHECKPOINT: the sprint comes to CHECKPOINT, and its agent stops", async () => {
      const rig = await atWork();
      rig.operatorFiles.there.add("CHECKPOINT");
      await rig.engine.tick();
      expect([await stateOf(rig), await sprintOf(rig)]).toEqual(["SLEEPING", "CHECKPOINT"]);
    });

    it.each(["IN_PROGRESS", "CHECKPOINT"])(
      "ABORT: from %s the sprint comes to ABORTED, and its agent ends",
      async (from) => {
        const rig = await atWork();
        if (from === "CHECKPOINT") {
          rig.operatorFiles.there.add("CHECKPOINT");
          await rig.engine.tick();
        }
        expect(await sprintOf(rig)).toBe(from);
        rig.operatorFiles.there.add("ABORT");
        await rig.engine.tick();
        await tell(rig);
        expect([await stateOf(rig), await sprintOf(rig)]).toEqual(["CANCELLED", "ABORTED"]);
      },
    );
  });
}

import { describe, expect, it } from "vitest";
import type { OperatorFile } from "../../../src/domain/breakers/operator-file.ts";
import { runOf, sessionsOf, stateOf } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { milestoned } from "../../engine/plans.ts";
import { aRig, REPOSITORY, type Rig } from "../../engine/rig.ts";
import { edit, on, slowly, work } from "../../engine/scripts.ts";
import { MINUTE } from "../../factories/moment.ts";

/** An agent at work on issue 1 in a sprint, and one on issue 2 that belongs to none. */
async function atWork(): Promise<Rig> {
  const script = [1, 2].map((issue) => on(issue, edit(), slowly(30 * MINUTE, edit()), ...work));
  const rig = await aRig({ script });
  milestoned(rig, 1, { number: 2, title: "First release", dueOn: null });
  for (const issue of [1, 2]) await rig.engine.handle(labeled(rig, issue));
  await rig.until("both work", () => rig.runtime.running.size === 2);
  await rig.until("it works", async () => (await runOf(rig))?.state === "executing");
  return rig;
}

const APART = "feat-dev-issue-2";

const sprintOf = async (rig: Rig) =>
  (await rig.store.records.find("sprint", { repositoryId: REPOSITORY.id }))[0]?.state;

async function create(rig: Rig, file: OperatorFile): Promise<void> {
  rig.operatorFiles.create(file);
  await rig.engine.tick();
}

async function remove(rig: Rig, file: OperatorFile): Promise<void> {
  rig.operatorFiles.remove(file);
  await rig.engine.tick();
}

const works = (rig: Rig, name?: string) =>
  rig.until("it works again", async () => (await stateOf(rig, name)) === "ACTIVE");

/** What its agents do by each file: a graceful exit with code 42 whose reason is our session's. */
const EXITS: readonly [
  OperatorFile,
  { readonly inSprint: readonly string[]; readonly apart: readonly string[] },
][] = [
  ["PAUSE", { inSprint: ["SLEEPING", "paused"], apart: ["SLEEPING", "paused"] }],
  ["ABORT", { inSprint: ["CANCELLED", "stopped"], apart: ["SLEEPING", "paused"] }],
  ["CHECKPOINT", { inSprint: ["SLEEPING", "paused"], apart: ["ACTIVE", "running"] }],
];

/** The files by which a person stops the work, in our data directory. */
export function operatorFiles(): void {
  describe("the files of a person", () => {
    it("IN_PROGRESS → CHECKPOINT: a person creates CHECKPOINT", async () => {
      const rig = await atWork();
      await create(rig, "CHECKPOINT");
      expect([await stateOf(rig), await sprintOf(rig)]).toEqual(["SLEEPING", "CHECKPOINT"]);
    });

    it("CHECKPOINT → IN_PROGRESS (continue): the person removes CHECKPOINT", async () => {
      const rig = await atWork();
      await create(rig, "CHECKPOINT");
      await remove(rig, "CHECKPOINT");
      expect(await sprintOf(rig)).toBe("IN_PROGRESS");
      await works(rig);
    });

    it("CHECKPOINT → IN_PROGRESS: removed while we did not run, it continues at the start", async () => {
      const rig = await atWork();
      await create(rig, "CHECKPOINT");
      rig.operatorFiles.remove("CHECKPOINT");
      await rig.restart();
      await rig.engine.tick();
      expect(await sprintOf(rig)).toBe("IN_PROGRESS");
      await works(rig);
    });

    it("a sprint that a person continues while CHECKPOINT is there stays IN_PROGRESS", async () => {
      const rig = await atWork();
      await create(rig, "CHECKPOINT");
      await rig.engine.handle(said(rig, 1, "/flotilla continue"));
      await rig.restart();
      await rig.engine.tick();
      expect(await sprintOf(rig)).toBe("IN_PROGRESS");
    });

    it.each(["IN_PROGRESS", "CHECKPOINT"])("%s → ABORTED: a person creates ABORT", async (from) => {
      const rig = await atWork();
      if (from === "CHECKPOINT") await create(rig, "CHECKPOINT");
      expect(await sprintOf(rig)).toBe(from);
      await create(rig, "ABORT");
      await tell(rig);
      expect([await stateOf(rig), await sprintOf(rig)]).toEqual(["CANCELLED", "ABORTED"]);
    });

    it.each(EXITS)("graceful abort: %s detected", async (file, { inSprint, apart }) => {
      const rig = await atWork();
      await create(rig, file);
      const ends = async (name: string | undefined, [state, session]: readonly string[]) =>
        (await stateOf(rig, name)) === state && (await sessionsOf(rig, name)).at(-1)?.state === session;
      await rig.until("that in the sprint ends so", () => ends(undefined, inSprint));
      await rig.until("the other ends so", () => ends(APART, apart));
      await remove(rig, file);
      await works(rig, APART);
      expect(await stateOf(rig)).toBe(file === "ABORT" ? "CANCELLED" : "ACTIVE");
    });
  });
}

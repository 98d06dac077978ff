import { expect, it } from "vitest";
import { TidyMirrors } from "../../../src/engine/tasks/tidy-mirrors.ts";
import { HOUR } from "../../factories/moment.ts";
import { stateOf } from "../look.ts";
import { labeled } from "../people.ts";
import { aRig, REPOSITORY } from "../rig.ts";
import { blocked, edit, on, slowly } from "../scripts.ts";

it("tidies each repository once a day, and a failure keeps nothing else from it", async () => {
  const rig = await aRig({ script: [on(1, blocked(3))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.idle();
  const tidied: number[] = [];
  const worktrees = {
    ...rig.worktrees,
    tidy: ({ id }: { readonly id: number }) => {
      tidied.push(id);
      return Promise.reject(new Error("git did not end"));
    },
  };
  const tidy = new TidyMirrors({ ...rig.context, worktrees });
  const pass = async (ms: number) => {
    rig.clock.advance(ms);
    tidy.begin();
    await tidy.settled();
  };
  await pass(HOUR - 1);
  expect(tidied).toEqual([]);
  await pass(1);
  expect(tidied).toEqual([REPOSITORY.id]);
  expect(rig.logged.at(-1)).toMatchObject({ level: "warn", message: "mirror not tidied" });
  await pass(23 * HOUR);
  expect(tidied).toHaveLength(1);
  await pass(HOUR);
  expect(tidied).toHaveLength(2);
});

it("leaves a repository alone while one of its agents is at work", async () => {
  const rig = await aRig({ script: [on(1, slowly(9 * HOUR, edit()))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  let tidied = 0;
  const tidy = new TidyMirrors({
    ...rig.context,
    worktrees: {
      ...rig.worktrees,
      tidy: async () => {
        tidied += 1;
      },
    },
  });
  rig.clock.advance(HOUR);
  tidy.begin();
  await tidy.settled();
  expect([tidied, await stateOf(rig)]).toEqual([0, "ACTIVE"]);
});

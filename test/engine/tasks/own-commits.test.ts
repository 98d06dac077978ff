import { expect, it } from "vitest";
import { decisionsOn, taskOf } from "../look.ts";
import { labeled, pushed, reviewed, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { on, work } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const BRANCH = "flotilla/feat-dev/issue-1";

it("knows who pushed to the branch, however much a stranger has written since", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, pushed(rig, BRANCH, { "by-hand.ts": "1" }, { by: "alice" }));
  for (let written = 0; written < 101; written += 1)
    await rig.engine.handle(said(rig, 1, `/flotilla pause ${written}`, { by: "eve" }));
  await rig.idle();
  expect(await decisionsOn(rig)).not.toContain("foreign_commit");
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "alice" }));
  expect((await decisionsOn(rig)).at(-1)).toBe("own_work");
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  expect((await taskOf(rig))?.state).toBe("APPROVED");
});

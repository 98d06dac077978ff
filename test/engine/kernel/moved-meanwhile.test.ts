import { expect, it } from "vitest";
import { handle } from "../../../src/engine/handle.ts";
import { agentOf, decisionsOn } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { blocked, on } from "../scripts.ts";

it("a decision whose agent moves before it is written is made again on what is so then", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  expect((await agentOf(rig)).state).toBe("SLEEPING");
  let tries = 0;
  const store = {
    ...rig.context.store,
    transaction: async <T>(work: Parameters<typeof rig.store.transaction<T>>[0]): Promise<T> => {
      tries += 1;
      if (tries === 1) await rig.engine.handle(said(rig, 1, "/flotilla cancel"));
      return rig.store.transaction(work);
    },
  };
  await handle({ ...rig.context, store }, said(rig, 1, "/flotilla pause"));
  expect(tries).toBe(2);
  expect((await agentOf(rig)).state).toBe("CANCELLED");
  expect(await decisionsOn(rig, 1)).toContain("nobody_concerned");
});

import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { stateOf } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { on, work } from "../scripts.ts";

it("opens a conversation once although it begins to talk while its model is stored", async () => {
  let reads = 0;
  const rig = await aRig({
    script: [on(1, ...work)],
    wrapped: ({ store, ...given }) => ({
      ...given,
      store: {
        ...store,
        records: {
          ...store.records,
          async find(machine, where) {
            const found = await store.records.find(machine, where);
            if (machine === "session") reads += 1;
            // The first read is the one that compares the model, before the runtime starts.
            if (machine === "session" && reads === 2) for (let n = 0; n < 200; n += 1) await turn();
            return found;
          },
        },
      },
    }),
  });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(rig.logged).toEqual([]);
});

import { describe, expect, it } from "vitest";
import { columnsSince, now } from "../together/columns.ts";
import { ENDING } from "../together/ending.ts";
import { REPORTING } from "../together/reporting.ts";
import { RESTING } from "../together/resting.ts";
import { REVIEWING } from "../together/reviewing.ts";
import { MOMENTS } from "../together/rows.ts";
import { STARTING } from "../together/starting.ts";
import { WAKING } from "../together/waking.ts";

const TOGETHER = { ...STARTING, ...WAKING, ...REPORTING, ...RESTING, ...REVIEWING, ...ENDING };

it("has a walk for every moment of the design's table, and for no other", () => {
  expect(Object.keys(TOGETHER).toSorted()).toEqual([...MOMENTS].toSorted());
});

describe.each(MOMENTS)("the moves fit together at the moment: %s", (moment) => {
  it.each(TOGETHER[moment] ?? [])(
    "$how",
    async ({ before, moment: passes, of, session, run, agent, task }) => {
      const rig = await before();
      const since = await now(rig);
      await passes(rig);
      expect(await columnsSince(rig, since, of)).toEqual({ session, run, agent, task });
    },
  );
});

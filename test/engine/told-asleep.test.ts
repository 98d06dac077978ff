import { describe, expect, it } from "vitest";
import { SLEEP_REASONS } from "../../src/core/machines/agent-record.ts";
import { SLEEPS } from "./truth/of-sleeping.ts";
import { expectTold, type Situation } from "./truth/situation.ts";
import { expectButtons, expectWaysOn } from "./truth/ways.ts";

const ALL = SLEEP_REASONS.flatMap((reason) =>
  Object.entries(SLEEPS[reason]).map(([why, situation]): readonly [string, Situation] => [
    `${reason}: ${why}`,
    { ...situation, state: "SLEEPING" },
  ]),
);

it("has a situation for every reason of a sleep", () => {
  for (const reason of SLEEP_REASONS) expect(Object.keys(SLEEPS[reason]), reason).not.toEqual([]);
});

describe.each(ALL)("an agent asleep for %s", (_, situation) => {
  it("is told alike in all places", () => expectTold(situation));
  it("goes on in every way that is advised", () => expectWaysOn(situation));
  it("goes on by every button", () => expectButtons(situation));
});

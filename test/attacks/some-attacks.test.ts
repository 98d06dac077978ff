import { expect, it } from "vitest";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { proved } from "../proved.ts";
import { readAttacks } from "./attack.ts";
import { figureOf, playAttacks } from "./play-attacks.ts";

describeConfined("a worst-case agent", () => {
  it("that obeys some published attacks does nothing outside the policy and finds no secret", async () => {
    const fast = readAttacks().filter((attack) => attack.fast);
    const outcome = await playAttacks(fast, { sandbox: { mode: "bubblewrap" } });
    expect(outcome).toMatchObject({ untried: [], outsidePolicy: [] });
    expect(outcome.leaked).toEqual({});
    proved({
      promise: "An agent that obeys published attacks does nothing outside the policy and leaks no secret",
      test: "test/attacks/some-attacks.test.ts",
      figure: figureOf(outcome),
    });
  }, 600_000);
});

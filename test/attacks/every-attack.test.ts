import { expect, it } from "vitest";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { proved } from "../proved.ts";
import { readAttacks } from "./attack.ts";
import { figureOf, playAttacks } from "./play-attacks.ts";

describeConfined("a worst-case agent", () => {
  it("that obeys every published attack does nothing outside the policy and finds no secret", async () => {
    const outcome = await playAttacks(readAttacks(), { sandbox: { mode: "bubblewrap" } });
    expect(outcome).toMatchObject({ untried: [], outsidePolicy: [] });
    expect(outcome.leaked).toEqual({});
    proved({
      promise:
        "An agent that obeys every published attack does nothing outside the policy and leaks no secret",
      test: "test/attacks/every-attack.test.ts",
      figure: figureOf(outcome),
    });
  }, 600_000);
});

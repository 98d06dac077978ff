import { expect, it } from "vitest";
import { damageSeed } from "../damages.ts";
import { meetDamage } from "./meet-damage.ts";

const SEED = damageSeed();

/** In short; damage-at-length.test.ts continues for longer, planted-files.test.ts damages what real agents have. */
it(`a dozen damages to what an agent can write touch nothing else (DAMAGE_SEED=${SEED})`, async () => {
  expect(await meetDamage(SEED, 12)).toBe(12);
});

import { expect, it } from "vitest";
import { damageSeed } from "../damages.ts";
import { meetDamage } from "./meet-damage.ts";

const SEED = damageSeed();

it(`hundreds of damages to what an agent can write touch nothing else (DAMAGE_SEED=${SEED})`, async () => {
  expect(await meetDamage(SEED, 300)).toBe(300);
}, 600_000);

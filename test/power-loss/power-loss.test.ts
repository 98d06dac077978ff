import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../adapters/store/temporary.ts";
import { proved } from "../proved.ts";
import { type AfterPowerLoss, cutPower } from "./cut-power.ts";

const DELIVERIES = 120;
const MOST_CUTS = 12;

/** Only the kernel's own word on which writes were synced will do. CI has it installed and sets the variable. */
const traceable =
  process.env["FLOTILLA_TESTS_NEED_STRACE"] === "1" || spawnSync("strace", ["-V"]).error === undefined;

test.runIf(traceable)(
  "when the power goes nothing is lost that was acknowledged, and with either sync taken away it would be (needs strace)",
  async () => {
    const as = (weakness: "none" | "database" | "journal") =>
      cutPower({ dir: temporaryDirectory(), deliveries: DELIVERIES, weakness });
    // What a missing sync loses depends on the moment: between two checkpoints the journal still has it.
    const losing = async (weakness: "database" | "journal", loses: (after: AfterPowerLoss) => boolean) => {
      for (let cut = 1; ; cut += 1) {
        const after = await as(weakness);
        if (loses(after) || cut === MOST_CUTS) return after;
      }
    };
    const whole = await as("none");
    const database = await losing("database", ({ lost, effectsLost }) => lost > 0 && effectsLost > 0);
    const journal = await losing("journal", ({ lost }) => lost > 0);
    expect(whole.acknowledged).toBeGreaterThanOrEqual(DELIVERIES);
    expect(whole.effects).toBeGreaterThan(0);
    expect(whole).toMatchObject({ lost: 0, effectsLost: 0 });
    expect(database.lost).toBeGreaterThan(0);
    expect(database.effectsLost).toBeGreaterThan(0);
    expect(journal.lost).toBeGreaterThan(0);
    expect(journal.effectsLost).toBe(0);
    proved({
      promise: "A power loss takes nothing that was acknowledged or said to be done",
      test: "test/power-loss/power-loss.test.ts",
      figure:
        `${whole.acknowledged} acknowledged, ${whole.lost} lost; ${whole.effects} effects done, ${whole.effectsLost} lost; ` +
        `synchronous lowered: ${database.lost} of ${database.acknowledged} lost; journal not synced: ${journal.lost} of ${journal.acknowledged}`,
    });
  },
  120_000,
);

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { proved } from "../proved.ts";
import { temporaryDirectory } from "../store/temporary.ts";
import { cutPower } from "./cut-power.ts";

const DELIVERIES = 120;

/** Only the kernel's own word on which writes were synced will do. CI has it installed and sets the variable. */
const traceable =
  process.env["FLOTILLA_TESTS_NEED_STRACE"] === "1" || spawnSync("strace", ["-V"]).error === undefined;

test.runIf(traceable)(
  "when the power goes nothing is lost that was acknowledged, and with either sync taken away it would be (needs strace)",
  async () => {
    const dir = temporaryDirectory();
    const as = (weakness: "none" | "database" | "journal") =>
      cutPower({ dir, deliveries: DELIVERIES, weakness });
    const whole = await as("none");
    const database = await as("database");
    const journal = await as("journal");
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
  60_000,
);

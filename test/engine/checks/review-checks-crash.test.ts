import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { tell } from "../people.ts";
import { failing, headOf, put } from "../put-checks.ts";
import { done } from "../together/work-under-way.ts";

it.each(["look_at_review_checks", "rerun_check"])(
  "a crash in the midst of %s asks for the job once, and it ends the same",
  async (kind) => {
    const rig = await done();
    rig.repository.requiredChecks = ["build"];
    await tell(rig, put(rig, headOf(rig), { build: { state: "green", job: 900 } }));
    rig.clock.advance(MINUTE);
    let crashed = 0;
    rig.onCrashPoint = (name) => {
      if (name !== `effect:${kind}` || crashed > 0) return;
      crashed += 1;
      rig.life.end();
    };
    const gone = rig.until("it is gone", () => rig.life.over);
    await rig.engine.handle(put(rig, headOf(rig), { build: failing(11) })).catch(() => {});
    await gone;
    await rig.restart();
    for (const _ of [1, 2]) await rig.pass(5 * MINUTE);
    expect(rig.github.writes.filter((write) => write.startsWith("rerunJob"))).toEqual(["rerunJob 11"]);
    const rows = await rig.store.checks.ofRef(7, headOf(rig));
    expect(rows.map(({ state, rerun }) => [state, rerun])).toEqual([
      ["green", null],
      ["red", "asked"],
    ]);
    expect(await rig.store.checks.attempts(1)).toEqual([]);
  },
);
